// One line of the tables of patches: what a user was, what was asked, and what it is then, or the code of the refusal.
// `source` and `target` are bodies of the standard face without schemas and, where it is `ada`, userName.

export const ent = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const svc = 'urn:ietf:params:scim:schemas:extension:service:1.0:User';
export const core = 'urn:ietf:params:scim:schemas:core:2.0:User';

export interface PatchCase {
  readonly title: string;
  readonly source: object;
  readonly operations: readonly object[];
  readonly target: object | string;
  readonly face?: 'service';
}

export const work = { value: 'w@x', type: 'work' };
export const home = { value: 'h@x', type: 'home' };
export const primaryWork = { ...work, primary: true };
export const one = (
  title: string,
  source: object,
  operation: object,
  target: object | string,
): PatchCase => ({
  title,
  source,
  operations: [operation],
  target,
});
export const many = (
  title: string,
  source: object,
  operations: readonly object[],
  target: object | string,
): PatchCase => ({
  title,
  source,
  operations,
  target,
});
export const onServiceFace = (sample: PatchCase): PatchCase => ({
  ...sample,
  title: `service face: ${sample.title}`,
  face: 'service',
});

export const add = (path: string, value: unknown): object => ({ op: 'add', path, value });
export const replace = (path: string, value: unknown): object => ({ op: 'replace', path, value });
export const remove = (path: string, value?: unknown): object => ({ op: 'remove', path, value });
