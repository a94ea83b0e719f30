// The names of the fields of a survey's form. A browser without scripts sends them as they stand; the script sends the same
// ones as JSON, `{ "fields": { name: [values] } }`. So both arrive as one map from names to lists of texts.

/** An answer: the field of a question has this before the id of the question. */
export const questionPrefix = 'q.';
/** A custom parameter that the address filled in has this before its name. */
export const parameterPrefix = 'p.';
/** The token of the page or the invitation: survey, response id and time, signed or sealed. */
export const tokenField = 'token';
/** The language in which the page was shown. */
export const languageField = 'lang';
/** Invisible to people; whoever fills it in is a program. */
export const honeypotField = 'website';
/** The answer to the proof of work, where one was asked for. */
export const workField = 'work';
/** `1`: judged and answered, and not kept. */
export const testField = 'test';

/** The page around an embedded form; a page of its own says nothing here. */
export const urlField = 'url';
/** Names a question that is shown only after a send, once it was shown: see visibility-css.ts. */
export const shownField = 'shown';

export type FormFields = ReadonlyMap<string, readonly string[]>;
