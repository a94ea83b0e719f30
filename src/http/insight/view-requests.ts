// What requests for figures have in common: which days, how much may be told, what is read for them, and what every answer says.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DateRange, dayText, parseDay, readDateRange } from '../../domain/dates.ts';
import { type Comparison, comparedRange } from '../../domain/insight/compared-range.ts';
import { daysWithin, type ViewDays, type ViewSource } from '../../domain/insight/view-source.ts';
import { type Fault, Problem } from '../../domain/problem.ts';
import type { WorkBudget } from '../../store/engine/work-budget.ts';
import type { PreparedSource } from '../../store/feedback/sources.ts';
import { type FiguresReader, preparedVersion } from '../../store/insight/figures-reader.ts';
import type { Minimums } from '../../store/insight/minimum.ts';
import { invalidRequest } from '../server/input.ts';
import type { BudgetServices } from '../server/request-budget.ts';
import { sendPieces } from '../server/sliced-answer.ts';

/** Ten years and some days. */
export const insightDaysMax = 3_700;

export interface ViewServices extends BudgetServices {
  readonly figuresReader: FiguresReader;
  readonly minimums: Minimums;
}

/** A request for a view, whoever sent it. */
export interface ViewRequest<Query> {
  readonly ready: PreparedSource;
  readonly query: Query;
  readonly work: WorkBudget;
  /** Open text is told to those alone who may read comments. */
  readonly mayReadComments: boolean;
}

export interface RangeQuery {
  readonly from: string;
  readonly to: string;
  readonly minimum?: number;
}

export interface ComparedQuery extends RangeQuery {
  readonly compare?: Comparison;
}

/** The members that every answer over a range begins with. */
export interface CommonMembers {
  readonly from: string;
  readonly to: string;
  readonly minimum: number;
  readonly complete: boolean;
  readonly covered: { readonly from: string; readonly to: string } | null;
  readonly position: number;
}

export interface View {
  readonly source: ViewSource;
  readonly now: ViewDays;
  /** Absent where nothing is compared; null where there was no time for it. */
  readonly compared?: ViewDays | null;
  readonly minimum: number;
  readonly members: CommonMembers & { readonly compared?: { readonly from: string; readonly to: string } };
}

/** The days of a request; every fault of theirs is named at once. */
export function insightRange({ from, to, compare }: ComparedQuery): {
  readonly range: DateRange;
  readonly compared: DateRange | null;
} {
  const faults: Fault[] = [];
  const range = readDateRange(from, to, faults);
  if (faults.length > 0) throw invalidRequest(faults);
  const days = range.lastDay - range.firstDay + 1;
  if (days > insightDaysMax) {
    const most = insightDaysMax.toLocaleString('en-US');
    const message = `The range has ${days.toLocaleString('en-US')} days; at most ${most} can be asked for at once.`;
    faults.push({ field: 'to', code: 'RANGE_TOO_LONG', message });
  }
  const compared = compare === undefined ? null : comparedRange(range, compare);
  if (compared !== null && compared.lastDay >= range.firstDay) {
    // A response would be on both sides, and an interval of their difference would be wrong.
    const message =
      'A range of more than a year overlaps the one a year before; compare it with `previous`, or shorten it.';
    faults.push({ field: 'compare', code: 'INVALID', message });
  } else if (compared !== null && compared.firstDay < firstDayOfCalendar) {
    const message = 'The days that the range is compared with lie before the year 1.';
    faults.push({ field: 'from', code: 'INVALID', message });
  }
  if (faults.length > 0) throw invalidRequest(faults);
  return { range, compared };
}

const firstDayOfCalendar = parseDay('0001-01-01')!;

/** Reads what a view is made of. Both ranges are read at once, so that both are true at the same position of the log. */
export async function readView(
  { figuresReader, minimums }: ViewServices,
  { ready, query, work }: ViewRequest<ComparedQuery>,
): Promise<View> {
  const { range, compared } = insightRange(query);
  const minimum = await minimums.inForce(ready.source.accountId, query.minimum);
  const read = { firstDay: compared?.firstDay ?? range.firstDay, lastDay: range.lastDay };
  const outcome = await figuresReader.read(ready, read, work);
  if ('reached' in outcome) {
    const { rolledSeq, lastSeq } = outcome.reached;
    throw new Problem(
      'INSIGHT_NOT_READY',
      `The figures of older responses are being added up: ${rolledSeq} of ${lastSeq} are done. Please retry.`,
      { headers: { 'retry-after': '5' } },
    );
  }
  const { days, lastSeq, ready: known } = outcome.figures;
  const whole = textsOf(range);
  return {
    source: viewSourceOf(known),
    now: { range, days: daysWithin(days, range) },
    ...(compared !== null && { compared: { range: compared, days: daysWithin(days, compared) } }),
    minimum,
    members: {
      ...{ ...whole, minimum, complete: true, covered: whole, position: lastSeq },
      ...(compared !== null && { compared: textsOf(compared) }),
    },
  };
}

function textsOf({ firstDay, lastDay }: DateRange): { readonly from: string; readonly to: string } {
  return { from: dayText(firstDay), to: dayText(lastDay) };
}

export function viewSourceOf(ready: PreparedSource): ViewSource {
  const surveys = new Map<number, ReturnType<typeof preparedVersion>>();
  return {
    definitions: ready.source.surveys.map(({ definition }) => definition),
    surveyOf: (surveyNumber) => {
      let survey = surveys.get(surveyNumber);
      if (survey === undefined) {
        survey = preparedVersion(ready, surveyNumber);
        surveys.set(surveyNumber, survey);
      }
      return survey;
    },
  };
}

/** Sends a view. Ten years of days may be megabytes, which are written in slices. */
export function sendView(
  services: BudgetServices,
  request: FastifyRequest,
  reply: FastifyReply,
  view: object,
): Promise<FastifyReply> {
  return sendPieces(services, request, reply, piecesOf(view));
}

// Root, list of latents or questions, one of them, list of points or versions: what lies deeper is one piece.
const depthMax = 4;

async function* piecesOf(value: unknown, depth = 0): AsyncGenerator<string> {
  if (typeof value !== 'object' || value === null || depth === depthMax) {
    yield JSON.stringify(value);
    return;
  }
  const isList = Array.isArray(value);
  yield isList ? '[' : '{';
  let isFirst = true;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const comma = isFirst ? '' : ',';
    yield isList ? comma : `${comma}${JSON.stringify(name)}:`;
    yield* piecesOf(member, depth + 1);
    isFirst = false;
  }
  yield isList ? ']' : '}';
}
