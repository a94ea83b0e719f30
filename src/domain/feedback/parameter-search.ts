// Whether a response passed a certain value of a certain parameter, with itself or afterwards (CPP, EPP), for those who
// have to find what one person said.

export interface WantedParameter {
  readonly name: string;
  readonly value: string;
}

/** NAME=VALUE; the value may be empty or have further equals signs. Null when there is no name. */
export function readWantedParameter(text: string): WantedParameter | null {
  const at = text.indexOf('=');
  return at < 1 ? null : { name: text.slice(0, at), value: text.slice(at + 1) };
}

/** A quick look at what is kept, so that few rows have to be put together: false only where the value cannot be in it. */
export function mayPass(values: string, external: string | null, { value }: WantedParameter): boolean {
  const text = JSON.stringify(value);
  return canHold(values, text) || (external !== null && canHold(external, text));
}

// What is escaped may be written in more than one way.
function canHold(kept: string, text: string): boolean {
  return kept.includes(text) || kept.includes('\\');
}

/** An item of the data endpoints, as far as it is looked at. */
interface ShownItem {
  readonly url?: string | null;
  readonly locale?: string | null;
  readonly responses: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly answers: readonly string[];
  }[];
}

/** By the name of the parameter or its id; an entry of a project also has `url` and `locale` as its own members. */
export function passes(item: ShownItem, { name, value }: WantedParameter): boolean {
  if ((name === 'url' || name === 'locale') && item[name] === value) return true;
  return item.responses.some(
    (entry) =>
      (entry.type === 'CPP' || entry.type === 'EPP') &&
      (entry.name === name || entry.id === name) &&
      entry.answers.includes(value),
  );
}
