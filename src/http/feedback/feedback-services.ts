// What the endpoints of responses share, with one another and with the console: the same limits hold for both together.

import type { Context } from '../../context.ts';
import { Sealer } from '../../store/access/sealer.ts';
import type { WorkQueue } from '../../store/engine/work/work-budget.ts';
import { LogAppender } from '../../store/feedback/appender.ts';
import { ChangeReader, feedEnds } from '../../store/feedback/change-reader.ts';
import { DigestReader } from '../../store/feedback/digest-reader.ts';
import { LogReader } from '../../store/feedback/log-reader.ts';
import { Sources } from '../../store/feedback/sources.ts';
import { TableThread } from '../../store/feedback/table-thread.ts';
import { ChangeWaits } from './change-waits.ts';
import { ExportSlots } from './export-slots.ts';
import { FeedFollowers } from './feed-followers.ts';
import { PageMemory } from './page-memory.ts';
import { RefusedLog } from './refused-log.ts';
import { SourceLists } from './source-lists.ts';

export interface FeedbackServices {
  readonly sources: Sources;
  readonly sourceLists: SourceLists;
  readonly appender: LogAppender;
  readonly reader: LogReader;
  readonly digestReader: DigestReader;
  readonly changes: ChangeReader;
  readonly changeWaits: ChangeWaits;
  readonly feedFollowers: FeedFollowers;
  readonly pageMemory: PageMemory;
  readonly exportSlots: ExportSlots;
  readonly tableThread: TableThread;
  readonly refusedLog: RefusedLog;
}

export function openFeedback(
  context: Context,
  workQueue: WorkQueue,
  onFailedBatch: ConstructorParameters<typeof LogAppender>[1],
): FeedbackServices {
  const sources = new Sources(context);
  return {
    sources,
    sourceLists: new SourceLists(context),
    appender: new LogAppender(context.db, onFailedBatch),
    reader: new LogReader(context.db, workQueue, context.standby),
    digestReader: new DigestReader(context.db, workQueue),
    changes: new ChangeReader(context.db),
    changeWaits: new ChangeWaits((followed) => feedEnds(context.db, followed)),
    feedFollowers: new FeedFollowers(context.elapsedMs),
    pageMemory: new PageMemory(context.config.answerMemoryBytes),
    exportSlots: new ExportSlots(context.config),
    tableThread: new TableThread(),
    refusedLog: new RefusedLog({ context, sources, sealer: new Sealer(context) }),
  };
}
