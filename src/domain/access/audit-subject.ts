// What an entry of the audit log is about, where that is more than the name of one thing: a code and its values, like its note
// (audit-note.ts). The sentence is what entries are found by, and never changes.

interface Responses {
  readonly count: number;
}
interface OfSource extends Responses {
  /** `measure 10`. */
  readonly source: string;
}
interface Found extends OfSource {
  /** The name of a parameter, never its value; null where none was asked for. */
  readonly parameter: string | null;
  readonly isByDays: boolean;
}

const sentences = {
  retained: ({ count, source, day }: OfSource & { readonly day: string }) =>
    `${count} responses of ${source} from before ${day}`,
  listed: ({ count }: Responses) => `${count} responses by a list of ids`,
  found: ({ count, source, parameter, isByDays }: Found) => {
    const ways = [
      ...(parameter === null ? [] : [`the parameter ${parameter}`]),
      ...(isByDays ? ['days'] : []),
    ];
    return `${count} responses of ${source} by ${ways.join(' and ')}`;
  },
  mended: ({ count, source, day }: OfSource & { readonly day: string }) =>
    `${count} responses of ${day} of ${source}, erased by an older release`,
  commentsTaken: ({ count, source }: OfSource) => `${count} comments of erased responses of ${source}`,
  quarantineListed: ({ count }: Responses) => `${count} refused responses of the quarantine by a list of ids`,
  redriven: (sent: { readonly survey: string; readonly accepted: number; readonly refused: number }) =>
    `survey ${sent.survey}: ${sent.accepted} accepted, ${sent.refused} still refused`,
  external: ({ count, columns }: Responses & { readonly columns: string }) =>
    `${count} responses: ${columns}`.slice(0, 1_000),
};

type Sentences = typeof sentences;
type AuditSubjectCode = keyof Sentences;
export const auditSubjectCodes = Object.keys(sentences) as readonly AuditSubjectCode[];

/** Every code worded anew. */
export type AuditSubjectWords = {
  readonly [C in AuditSubjectCode]: (...values: Parameters<Sentences[C]>) => string;
};

export interface CodedSubject {
  readonly subjectCode: AuditSubjectCode;
  readonly subjectValues: Readonly<Record<string, string | number | boolean | null>>;
}

/** As the members of an entry. */
export function auditSubject<C extends AuditSubjectCode>(
  subjectCode: C,
  values: Parameters<Sentences[C]>[0],
): { readonly subject: string; readonly details: CodedSubject } {
  const subject = (sentences[subjectCode] as (values: object) => string)(values);
  return { subject, details: { subjectCode, subjectValues: values as CodedSubject['subjectValues'] } };
}
