// What people wrote about in a project: counted from the figures of days, or from the entries themselves.

import { JoinGroups } from '../../domain/insight/joining.ts';
import {
  mustScanTopics,
  offeredTopics,
  pageGroups,
  scannedTopics,
  showTopics,
  sumTopics,
  type TopicSums,
  topicGroups,
  worstPages,
} from '../../domain/insight/topics.ts';
import type { WorkBudget } from '../../store/engine/work/work-budget.ts';
import {
  type CommonMembers,
  type ComparedQuery,
  readView,
  ScanTime,
  textsOf,
  type View,
  type ViewReaders,
  type ViewRequest,
  viewSourceOf,
} from './views.ts';

interface TopicsQuery extends ComparedQuery {
  readonly pages?: number;
}

export async function answerTopics(services: ViewReaders, asked: ViewRequest<TopicsQuery>): Promise<object> {
  const time = new ScanTime(asked.work, asked.query.within);
  const view = await readView(services, asked, { areDaysJoined: true });
  const { ready, source, now, filter, minimum, members } = view;
  const known = mustScanTopics(source, [...now.days, ...(view.compared?.days ?? [])], asked.mayReadComments)
    ? await scanTopics(services, view, time)
    : await countTopics(asked.work, view);
  const { sums, sumsCompared, ...reached } = known;
  const topics = showTopics(sums, sumsCompared, offeredTopics(source), minimum);
  const answer = { ...members, ...reached, ...topics };
  const { pages: pagesWanted } = asked.query;
  if (pagesWanted === undefined) return answer;
  const scan = await services.scanner.groups(ready, now.range, pageGroups(minimum), filter, time.left());
  return {
    ...answer,
    pages: worstPages(viewSourceOf(scan.ready), scan.result, minimum, pagesWanted),
    pagesComplete: scan.isComplete && members.complete,
    pagesCovered: scan.covered === null ? null : textsOf(scan.covered),
  };
}

interface KnownTopics {
  readonly sums: TopicSums;
  /** As in a view. */
  readonly sumsCompared: TopicSums | null | undefined;
  /** Where it is less than the view goes over. */
  readonly complete?: boolean;
  readonly covered?: CommonMembers['covered'];
}

/** From the figures of days. */
async function countTopics(work: WorkBudget, { source, now, compared }: View): Promise<KnownTopics> {
  const groups = new JoinGroups();
  const sums = await work.run(sumTopics(source, now, groups));
  const sumsCompared = compared ? await work.run(sumTopics(source, compared, groups)) : compared;
  return { sums, sumsCompared };
}

/** From the entries themselves, newest first. */
async function scanTopics(
  { scanner }: ViewReaders,
  { ready, filter, now, compared, members }: View,
  time: ScanTime,
): Promise<KnownTopics> {
  const groups = new JoinGroups();
  const scan = await scanner.groups(ready, now.range, topicGroups, filter, time.left());
  const sums = scannedTopics(viewSourceOf(scan.ready), scan.result, groups);
  const covered = scan.covered === null || members.covered === null ? null : textsOf(scan.covered);
  const isComplete = scan.isComplete && members.complete;
  if (!compared || !isComplete)
    return { sums, sumsCompared: compared && null, complete: isComplete, covered };
  const before = await scanner.groups(scan.ready, compared.range, topicGroups, filter, time.left());
  const sumsBefore = scannedTopics(viewSourceOf(before.ready), before.result, groups);
  return {
    sums,
    sumsCompared: before.isComplete ? sumsBefore : null,
    complete: before.isComplete,
    covered,
  };
}
