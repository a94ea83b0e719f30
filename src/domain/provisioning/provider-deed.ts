// What a request of an identity provider was about, for people who read a sentence and not a protocol: "Entra ID suspended
// Ada Byron", "Okta could not create a user, because the name is taken". The words themselves are those of the console, in
// its languages; here it is decided which of them are meant.

/** What was done, or was to be done and was refused. */
export const deeds = [
  'createUser',
  'changeUser',
  'suspendUser',
  'reactivateUser',
  'deleteUser',
  'askUsers',
  'createGroup',
  'changeGroup',
  'deleteGroup',
  'askGroups',
  'changeMany',
  'askService',
] as const;
type Deed = (typeof deeds)[number];

/** What an administrator can do about a refusal; the words are those of the console. */
export const remedies = [
  'nameTaken',
  'externalIdTaken',
  'groupTaken',
  'attributeUnknown',
  'valueRefused',
  'notFound',
  'guarded',
  'adminProtected',
  'throttled',
  'readOnly',
  'tooLarge',
  'changedMeanwhile',
  'later',
  'unknown',
] as const;
type Remedy = (typeof remedies)[number];

/** A request as the log keeps it, as far as the deed follows from it. */
interface LoggedRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly subject: string | null;
  readonly understood: string | null;
  readonly changed: string | null;
  readonly refused: string | null;
}

/** Who or what it was about: by the internal id, or as the path named them. */
export interface DeedSubject {
  readonly kind: 'user' | 'group';
  /** On the face of the interface a user is named by the externalId. */
  readonly by: 'id' | 'address';
  readonly value: string;
}

interface ProviderDeed {
  readonly deed: Deed;
  /** Null where it is about nobody in particular, or about several. */
  readonly subject: DeedSubject | null;
  /** Names of the attributes that changed. */
  readonly attributes: readonly string[];
  /** Of a group; `left` is null where it was emptied. */
  readonly members: { readonly joined: number; readonly left: number | null } | null;
  /** Of a change that was taken and left everything as it was. */
  readonly isWithoutEffect: boolean;
  readonly refusal: { readonly code: string; readonly message: string; readonly remedy: Remedy } | null;
}

const attributesMax = 12;

export function deedOf(request: LoggedRequest): ProviderDeed {
  const { method, route, changed, refused } = request;
  const isChanging = method !== 'GET' && !route.endsWith('/.search');
  return {
    deed: kindOf(request, isChanging),
    subject: subjectOf(request),
    attributes: attributesOf(changed),
    members: membersOf(changed),
    isWithoutEffect: isChanging && changed === null && refused === null && method !== 'DELETE',
    refusal: refused === null ? null : refusalOf(refused),
  };
}

function kindOf({ method, route, changed, understood }: LoggedRequest, isChanging: boolean): Deed {
  if (/\/Bulk$/.test(route)) return 'changeMany';
  const isGroup = /\/Groups(\/|$)/.test(route);
  if (!isGroup && !/\/Users(\/|$)/.test(route)) return isChanging ? 'changeMany' : 'askService';
  if (!isChanging) return isGroup ? 'askGroups' : 'askUsers';
  if (method === 'POST') return isGroup ? 'createGroup' : 'createUser';
  if (method === 'DELETE') return isGroup ? 'deleteGroup' : 'deleteUser';
  if (isGroup) return 'changeGroup';
  // What became of the user tells it; of a refusal, what was asked for.
  const said = changed ?? understood ?? '';
  if (/\bactive \(false\)/.test(said)) return 'suspendUser';
  return /\bactive \(true\)/.test(said) ? 'reactivateUser' : 'changeUser';
}

function subjectOf({ route, subject, changed }: LoggedRequest): DeedSubject | null {
  const [, kind, made] = /^(?:created|deleted) (user|group) (\d{1,16})$/.exec(changed ?? '') ?? [];
  if (kind !== undefined && made !== undefined)
    return { kind: kind as DeedSubject['kind'], by: 'id', value: made };
  if (subject === null) return null;
  const isGroup = /\/Groups\//.test(route);
  const isById = isGroup || route.startsWith('/scim/');
  return { kind: isGroup ? 'group' : 'user', by: isById ? 'id' : 'address', value: subject };
}

function attributesOf(changed: string | null): readonly string[] {
  if (changed === null || /^(created|deleted) /.test(changed)) return [];
  return changed
    .split(', ')
    .map((one) => one.replace(/ \(.*$/, '').replace(/^urn:.*:User[.:]/, ''))
    .filter((name) => /^[\w.$-]{1,60}$/.test(name) && name !== 'active')
    .slice(0, attributesMax);
}

function membersOf(changed: string | null): ProviderDeed['members'] {
  const [, left, joined] = /\bmembers \((all|\d+) to leave, (\d+) to join\)/.exec(changed ?? '') ?? [];
  if (left === undefined || joined === undefined) return null;
  return { joined: Number(joined), left: left === 'all' ? null : Number(left) };
}

const remediesOfCodes: Readonly<Record<string, Remedy>> = {
  USER_NAME_TAKEN: 'nameTaken',
  EXTERNAL_ID_TAKEN: 'externalIdTaken',
  GROUP_NAME_TAKEN: 'groupTaken',
  GROUP_EXTERNAL_ID_TAKEN: 'groupTaken',
  INVALID_PATH: 'attributeUnknown',
  NO_TARGET: 'attributeUnknown',
  INVALID_FILTER: 'attributeUnknown',
  MUTABILITY: 'attributeUnknown',
  INVALID_VALUE: 'valueRefused',
  INVALID_PATCH: 'valueRefused',
  INVALID_REQUEST: 'valueRefused',
  MALFORMED_JSON: 'valueRefused',
  INVALID_BULK: 'valueRefused',
  USER_NOT_FOUND: 'notFound',
  GROUP_NOT_FOUND: 'notFound',
  DEPROVISIONING_GUARDED: 'guarded',
  ADMIN_PROTECTED: 'adminProtected',
  THROTTLED: 'throttled',
  INSUFFICIENT_SCOPE: 'readOnly',
  BODY_TOO_LARGE: 'tooLarge',
  TOO_MANY_BULK_OPERATIONS: 'tooLarge',
  TOO_MANY_OPERATIONS: 'tooLarge',
  TOO_MUCH_WORK: 'tooLarge',
  CONFLICT: 'changedMeanwhile',
  PRECONDITION_FAILED: 'changedMeanwhile',
  STORE_UNREACHABLE: 'later',
  STORE_TIMEOUT: 'later',
  MAINTENANCE: 'later',
  WRITE_QUEUE_FULL: 'later',
  INTERNAL_ERROR: 'later',
};

function refusalOf(refused: string): NonNullable<ProviderDeed['refusal']> {
  const [, code = '', message = refused] = /^([A-Z_]+): (.*)$/s.exec(refused) ?? [];
  return { code, message, remedy: remediesOfCodes[code] ?? 'unknown' };
}

export const logParts = ['all', 'changes', 'problems'] as const;
export type LogPart = (typeof logParts)[number];
