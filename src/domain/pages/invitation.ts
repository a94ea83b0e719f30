// What an invitation to a survey may hold, and how long its link becomes. Pure: sealing is in store/pages/invitation-seal.ts.

import type { SurveyDefinition } from '../feedback/definition.ts';
import { isLongerThan, shortened } from '../feedback/draft-faults.ts';
import type { ParameterLimits } from '../feedback/parameters.ts';
import type { Fault } from '../problem.ts';

export const invitationDaysMax = 400;
export const invitationDaysDefault = 90;
/** Of the whole link. Programs that handle mail break or cut longer ones. */
export const linkCharactersMax = 1_900;

/** What an invitation says. Its id is that of the response, so one invitation is one row at most (D-446). */
export interface Invitation {
  readonly invitationId: string;
  readonly issuedAtMs: number;
  readonly endsAtMs: number;
  /** Custom parameters by their names. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** As short names as can be: this is part of an address. */
export interface InvitationText {
  readonly i: string;
  /** In seconds. */
  readonly t: number;
  readonly e: number;
  readonly p?: Readonly<Record<string, string>>;
}

/** The end of what is made now and good for so many days, in whole seconds, as it is sealed and shown. */
export function endOfInvitation(nowMs: number, days: number): number {
  return Math.floor(nowMs / 1000) * 1000 + days * 86_400_000;
}

const invitationId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isInvitationId(text: string): boolean {
  return invitationId.test(text);
}

/** Where people answer: the id of a survey, or the site key of a project. */
export function surveyLink(base: string, name: string): string {
  return `${base}/s/${encodeURIComponent(name)}`;
}

export function invitationLink(base: string, surveyId: string, token: string): string {
  return `${surveyLink(base, surveyId)}?i=${token}`;
}

/** Finds the name under which a custom parameter is passed, by its name or, failing that, its id; null where there is none. */
export type ParameterFinder = (text: string) => string | null;

/** For many of one survey. */
export function parameterFinder({ parameters: { custom } }: SurveyDefinition): ParameterFinder {
  // Of two the first counts, so they are entered from behind.
  const last = custom.toReversed();
  const names = new Map([
    ...last.map(({ id, name }) => [id, name] as const),
    ...last.map(({ name }) => [name, name] as const),
  ]);
  return (text) => names.get(text) ?? null;
}

/** What is wrong with the values of an invitation whose names are known. */
export function valueFaults(
  parameters: Readonly<Record<string, string>>,
  limits: ParameterLimits,
): readonly Fault[] {
  const faults: Fault[] = [];
  const names = Object.keys(parameters);
  for (const name of names) {
    const value = parameters[name]!;
    if (isLongerThan(value, limits.valueCharacters))
      faults.push({
        field: `parameters.${shortened(name)}`,
        code: 'VALUE_TOO_LONG',
        message: `The value of ${shortened(name)} has more than ${limits.valueCharacters} characters.`,
      });
    // PostgreSQL cannot keep the one, and an address cannot carry the other (D-26).
    else if (value.includes('\0') || !value.isWellFormed())
      faults.push({
        field: `parameters.${shortened(name)}`,
        code: 'INVALID_TEXT',
        message: `The value of ${shortened(name)} holds the character NUL or half a character.`,
      });
  }
  if (names.length > limits.count)
    faults.push({
      field: 'parameters',
      code: 'TOO_MANY_PARAMETERS',
      message: `A response passes at most ${limits.count} parameters, not ${names.length}.`,
    });
  return faults;
}

// What a sealed text has beside the ciphertext: header, nonce, tag and dots.
const sealCharacters = 62 + 2 + 16 + 1 + 1 + 22;
// Id and times, with their names and marks.
const fixedBytes = JSON.stringify({ i: 'x'.repeat(22), t: 1e9, e: 1e9, p: {} }).length;

/** How many characters the link of an invitation has; known before it is sealed. */
function linkCharacters(
  base: string,
  surveyId: string,
  parameters: Readonly<Record<string, string>>,
): number {
  const bytes = fixedBytes - 2 + new TextEncoder().encode(JSON.stringify(parameters)).length;
  return invitationLink(base, surveyId, '').length + sealCharacters + Math.ceil((bytes * 4) / 3);
}

/** Of an invitation that is too long for a link; null where it is not. */
export function lengthFault(
  base: string,
  surveyId: string,
  parameters: Readonly<Record<string, string>>,
): Fault | null {
  const characters = linkCharacters(base, surveyId, parameters);
  if (characters <= linkCharactersMax) return null;
  return {
    field: 'parameters',
    code: 'TOO_LONG',
    message: `With these parameters the link has ${characters} characters, and at most ${linkCharactersMax} reach everybody: pass shorter values, such as an id.`,
  };
}
