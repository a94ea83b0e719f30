// The catalogue: the file in which an operator says which accounts there are and what they measure. Reading it
// lists every fault with its line, and comparing it with the store says in words what would change.

import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

export const channels = ['WEB', 'MOBILE', 'STORE', 'CONTACT_CENTER'] as const;
export type Channel = (typeof channels)[number];

export interface Measure {
  readonly key: number;
  readonly name: string;
  readonly channel: Channel;
  readonly active: boolean;
  /** When it was first applied; null in a file. */
  readonly createdAtMs: number | null;
}

export interface CatalogueAccount {
  readonly id: number;
  readonly name: string;
  readonly measures: readonly Measure[];
}

export interface CatalogueFault {
  readonly line: number;
  readonly message: string;
}

export type CatalogueReading =
  | { readonly accounts: readonly CatalogueAccount[] }
  | { readonly faults: readonly CatalogueFault[] };

const int32Max = 2 ** 31 - 1;
const nameLengthMax = 255;

/** Reads YAML, and so JSON too. */
export function readCatalogue(text: string): CatalogueReading {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const reader = new Reader(lines);
  for (const error of document.errors) {
    reader.faults.push({
      line: error.linePos?.[0].line ?? 1,
      message: error.message.split('\n')[0] ?? error.message,
    });
  }
  if (reader.faults.length > 0) return { faults: reader.faults };
  const accounts = reader.catalogue(document.contents as Node | null);
  if (reader.faults.length === 0) return { accounts };
  return { faults: reader.faults.toSorted((a, b) => a.line - b.line) };
}

type Members = Map<string, Node | null>;

class Reader {
  readonly faults: CatalogueFault[] = [];
  readonly #lines: LineCounter;

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  catalogue(node: Node | null): CatalogueAccount[] {
    const members = this.#members(node, 'the catalogue', ['accounts']);
    if (members === null) return [];
    if (!members.has('accounts')) this.#fault(node, 'accounts is missing.');
    const accounts = this.#list(members.get('accounts'), 'accounts', (item) => this.#account(item));
    this.#unique(accounts, 'account', ({ value }) => value.id);
    return accounts.map(({ value }) => value);
  }

  #account(node: Node | null): CatalogueAccount | null {
    const members = this.#members(node, 'an account', ['id', 'name', 'measures']);
    if (members === null) return null;
    const id = this.#integer(members, node, 'id', 1, Number.MAX_SAFE_INTEGER);
    const name = this.#name(members, node);
    const measures = this.#list(members.get('measures'), 'measures', (item) => this.#measure(item));
    this.#unique(measures, 'measure', ({ value }) => value.key);
    return { id, name, measures: measures.map(({ value }) => value) };
  }

  #measure(node: Node | null): Measure | null {
    const members = this.#members(node, 'a measure', ['key', 'name', 'channel', 'active']);
    if (members === null) return null;
    const channel = this.#scalar(members, 'channel') ?? 'WEB';
    if (!(channels as readonly unknown[]).includes(channel)) {
      this.#fault(members.get('channel') ?? node, `channel must be one of ${channels.join(', ')}.`);
    }
    const active = this.#scalar(members, 'active') ?? true;
    if (typeof active !== 'boolean')
      this.#fault(members.get('active') ?? node, 'active must be true or false.');
    return {
      key: this.#integer(members, node, 'key', 0, int32Max),
      name: this.#name(members, node),
      channel: channel as Channel,
      active: active === true,
      createdAtMs: null,
    };
  }

  #members(node: Node | null | undefined, what: string, known: readonly string[]): Members | null {
    if (!isMap(node)) {
      this.#fault(node, `${what} must be a map of ${known.join(', ')}.`);
      return null;
    }
    const members: Members = new Map();
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      if (known.includes(name)) members.set(name, value as Node | null);
      else this.#fault(key as Node, `${what} has no member "${name}"; it may have ${known.join(', ')}.`);
    }
    return members;
  }

  #list<T>(
    node: Node | null | undefined,
    what: string,
    read: (item: Node | null) => T | null,
  ): { node: Node; value: T }[] {
    if (node === undefined || (isScalar(node) && node.value === null)) return [];
    if (!isSeq(node)) {
      this.#fault(node, `${what} must be a list.`);
      return [];
    }
    return node.items.flatMap((item) => {
      const value = read(item as Node | null);
      return value === null ? [] : [{ node: item as Node, value }];
    });
  }

  #unique<T>(
    items: readonly { node: Node; value: T }[],
    what: string,
    keyOf: (item: { value: T }) => number,
  ): void {
    const seen = new Set<number>();
    for (const item of items) {
      const key = keyOf(item);
      if (seen.has(key)) this.#fault(item.node, `${what} ${key} is there twice.`);
      seen.add(key);
    }
  }

  #scalar(members: Members, name: string): unknown {
    const node = members.get(name);
    return isScalar(node) ? node.value : (node?.toJSON() ?? undefined);
  }

  #integer(members: Members, parent: Node | null, name: string, min: number, max: number): number {
    const value = this.#scalar(members, name);
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    const what = members.has(name) ? `must be a whole number from ${min} to ${max}` : 'is missing';
    this.#fault(members.get(name) ?? parent, `${name} ${what}.`);
    return Number.NaN;
  }

  #name(members: Members, parent: Node | null): string {
    const value = this.#scalar(members, 'name');
    if (
      typeof value === 'string' &&
      value.trim() !== '' &&
      value.length <= nameLengthMax &&
      isStorable(value)
    )
      return value;
    const what = members.has('name') ? `must be a text of 1 to ${nameLengthMax} characters` : 'is missing';
    this.#fault(members.get('name') ?? parent, `name ${what}.`);
    return '';
  }

  #fault(node: Node | null | undefined, message: string): void {
    const position = node?.range?.[0] ?? 0;
    this.faults.push({ line: Math.max(1, this.#lines.linePos(position).line), message });
  }
}

/** PostgreSQL refuses NUL and lone surrogates, so nobody keeps them. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** What applying would change, a line each; an empty list means that the store agrees already. */
export function describeChanges(
  existing: readonly CatalogueAccount[],
  wanted: readonly CatalogueAccount[],
): readonly string[] {
  const byId = new Map(existing.map((account) => [account.id, account]));
  return wanted.flatMap((account) => {
    const before = byId.get(account.id);
    const own = before === undefined ? [`+ account ${account.id} ${account.name}`] : renamed(before, account);
    const measures = new Map(before?.measures.map((measure) => [measure.key, measure]));
    return [
      ...own,
      ...account.measures.flatMap((measure) =>
        describeMeasure(account.id, measures.get(measure.key), measure),
      ),
    ];
  });
}

function renamed(before: CatalogueAccount, after: CatalogueAccount): string[] {
  return before.name === after.name
    ? []
    : [`~ account ${after.id}: name "${before.name}" becomes "${after.name}"`];
}

function describeMeasure(accountId: number, before: Measure | undefined, after: Measure): string[] {
  if (before === undefined) return [`+ account ${accountId} measure ${after.key} ${after.name}`];
  const changed = (['name', 'channel', 'active'] as const).filter(
    (member) => before[member] !== after[member],
  );
  if (changed.length === 0) return [];
  const words = changed.map(
    (member) => `${member} ${JSON.stringify(before[member])} becomes ${JSON.stringify(after[member])}`,
  );
  return [`~ account ${accountId} measure ${after.key}: ${words.join(', ')}`];
}
