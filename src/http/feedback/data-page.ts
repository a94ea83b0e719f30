// A page of data as bytes, for measures and projects alike: the items are joined from prepared pieces, so it never
// exists as an object. What a page holds in all has no bound, because rows may be large; so a page that is larger than
// an ordinary one is read, written and sent in chunks, each when the one before has left. Everything that is said beside
// the items is known before the first byte. A failure after that breaks the connection: half a page
// never looks like a whole one.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { type ByteWriter, WriterPool } from '../../domain/byte-writer.ts';
import type { DateRange } from '../../domain/dates.ts';
import { RowCursor } from '../../domain/feedback/respondent.ts';
import type { PublicUrl } from '../../domain/operations/public-url.ts';
import type { Window } from '../../domain/window.ts';
import { sliceMs, type WorkQueue } from '../../store/engine/work/work-budget.ts';
import type { LogReader, LogRow, RangeFacts } from '../../store/feedback/log-reader.ts';
import type { PreparedSource, Sources } from '../../store/feedback/sources.ts';
import { SliceStream } from '../server/compress.ts';
import type { ChargedThrottle } from '../server/request-budget.ts';
import { logFailure } from '../server/request-log.ts';
import type { PageMemory } from './page-memory.ts';

/** How a row becomes an item; true when all of it is written. */
export type WriteItem<R = LogRow> = (
  cursor: RowCursor,
  writer: ByteWriter,
  row: R,
  stopAt: number,
) => boolean;

/** The rows of a page, one slice at a time (`LogPage`). */
interface RowsInSlices<R> extends Disposable {
  readonly rows: readonly R[];
  readonly isLast: boolean;
  next(): boolean | Promise<boolean>;
}

/** What is asked for, and how it is shown. */
interface DataPageRequest {
  readonly found: PreparedSource;
  readonly range: DateRange;
  readonly window: Window;
  /** The `offset` of the next page, in the unit of the endpoint: pages for measures, rows for projects. */
  readonly nextOffset: number;
  /** Given the source with a definition that is new enough to explain every row of the page. */
  readonly writeItem: (ready: PreparedSource) => WriteItem;
  /** The members behind the items, as JSON without its braces. */
  readonly members: (ready: PreparedSource, facts: RangeFacts) => string;
}

interface PageContent<R> {
  readonly hasMore: boolean;
  readonly members: string;
  readonly writeItem: WriteItem<R>;
  /** What stands behind every item that `writeItem` has written. */
  readonly itemEnd?: string;
  /** Where there is one item and it stands by itself: its further members, once all of it is written. */
  readonly membersOfOne?: () => string;
}

export interface PageServices {
  readonly context: Context;
  /** Left out where people call, who have no throttle that bytes are charged to. */
  readonly gate?: ChargedThrottle;
  readonly reader: LogReader;
  readonly sources: Sources;
  readonly publicUrl: PublicUrl;
  readonly pageMemory: PageMemory;
  readonly workQueue: WorkQueue;
}

// A page that is no larger leaves in one piece, with its length.
const wholeBytesMax = 1024 * 1024;
const sendChunkBytes = 256 * 1024;
/** Room for one chunk: writing stops at the end of the piece of a row that reaches the size, which lies beyond it. */
const chunkRoomBytes = sendChunkBytes + 64 * 1024;
/** One token of the throttle for so many bytes beyond those of an ordinary page. */
const bytesAToken = 256 * 1024;

const writers = new WriterPool(16 * 1024 * 1024);
const cursors: RowCursor[] = [];
const cursorsMax = 32;

export async function answerData(
  services: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: DataPageRequest,
): Promise<FastifyReply> {
  const { found, range, window } = asked;
  const leave = await services.pageMemory.enter(found.source.accountId, reply.raw);
  try {
    await services.reader.read(found.source, range, window, async (page) => {
      const { facts, rowCount } = page;
      const ready = await services.sources.atLeast(found, facts.revision);
      const hasMore = window.skip + rowCount < facts.total && rowCount > 0;
      const content = {
        hasMore,
        members: asked.members(ready, facts),
        writeItem: asked.writeItem(ready),
      };
      try {
        await page.readAhead();
        await services.workQueue.runShort(() => {
          if (hasMore) linkNext(reply, services.publicUrl, request.url, asked.nextOffset);
          return sendPage(services, request, reply, page, content, leave);
        });
      } catch (error) {
        page[Symbol.dispose]();
        throw error;
      }
    });
  } catch (error) {
    leave();
    throw error;
  }
  return reply;
}

/** The same address with the next offset and all other parameters as they were sent. */
function linkNext(reply: FastifyReply, publicUrl: PublicUrl, url: string, offset: number): void {
  const [path = '', query = ''] = url.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('offset', String(offset));
  reply.header('link', `<${publicUrl.to(path)}?${parameters}>; rel="next"`);
}

/**
 * An ordinary page is read, joined and sent without a pause: the next page is then written where this page was. With a
 * pause in between, all pages of a turn would be joined before the first page is sent, each in memory of its own, which is
 * more than the processor's caches hold.
 */
export async function sendPage<R>(
  services: Pick<PageServices, 'context' | 'gate' | 'workQueue'>,
  request: FastifyRequest,
  reply: FastifyReply,
  page: RowsInSlices<R>,
  content: PageContent<R>,
  leave: () => void,
): Promise<void> {
  const joining = new PageJoining(page, content, services.workQueue);
  let isDone: boolean;
  try {
    const filled = joining.fill(wholeBytesMax);
    isDone = typeof filled === 'boolean' ? filled : await filled;
  } catch (error) {
    joining.end();
    throw error;
  }
  reply.type('application/json; charset=utf-8');
  const { raw } = reply;
  if (raw.destroyed) return joining.end();
  if (!isDone) return void reply.send(new SliceStream(chunksOf(services, request, joining)));
  reply.send(joining.writer.view());
  // Mostly all of it is with the system by now, and the next page may be written where this one was, into memory that
  // is still at hand.
  if (raw.closed || (raw.writableEnded && raw.writableLength === 0)) {
    joining.end();
    leave();
  } else raw.once('close', () => joining.end());
}

async function* chunksOf<R>(
  { context, gate, workQueue }: Pick<PageServices, 'context' | 'gate' | 'workQueue'>,
  request: FastifyRequest,
  joining: PageJoining<R>,
): AsyncGenerator<Buffer> {
  const { caller } = request;
  try {
    let isDone = false;
    // What an ordinary page may have is paid for by the request itself.
    let sent = -wholeBytesMax;
    for (;;) {
      const chunk = joining.writer.take(chunkRoomBytes);
      const unpaid = Math.min(chunk.length, Math.max(0, sent + chunk.length));
      sent += chunk.length;
      if (caller !== null) gate?.charge(caller, unpaid / bytesAToken);
      yield chunk;
      if (isDone) return;
      // A connection that takes everything at once must not keep the event loop for itself, nor several together.
      await workQueue.nextSlice();
      isDone = await joining.fill(sendChunkBytes);
    }
  } catch (error) {
    // The status has been sent: that the connection breaks is all that the caller can be told.
    logFailure(context.log, request, error, 'A page broke off.');
    throw error;
  } finally {
    joining.end();
  }
}

/** What stands before the items of a page. */
export function pageBegin(hasMore: boolean): string {
  return `{"hasMore":${hasMore},"items":[`;
}

/** A page on its way into a writer. */
class PageJoining<R> {
  readonly writer: ByteWriter = writers.lend();
  readonly #cursor = cursors.pop() ?? new RowCursor();
  readonly #page: RowsInSlices<R>;
  readonly #content: PageContent<R>;
  readonly #itemEnd: string;
  #nextRow = 0;
  #isFirst = true;
  /** Whether the row before `#nextRow` is written in part. */
  #isWithinRow = false;
  #isEnded = false;
  #beganAtMs = 0;
  readonly #workQueue: WorkQueue;

  constructor(page: RowsInSlices<R>, content: PageContent<R>, workQueue: WorkQueue) {
    this.#workQueue = workQueue;
    this.#page = page;
    this.#content = content;
    this.#itemEnd = content.itemEnd ?? '';
    if (content.membersOfOne === undefined) this.writer.text(pageBegin(content.hasMore));
  }

  /**
   * Writes until there are so many bytes; true when the page is whole. A promise only where rows must be read first, or took so long to
   * read that others are served before the next ones (D-921).
   */
  fill(stopAt: number): boolean | Promise<boolean> {
    this.#beganAtMs = performance.now();
    return this.#fillOn(stopAt);
  }

  #fillOn(stopAt: number): boolean | Promise<boolean> {
    if (!this.#fillFromSlice(stopAt)) return false;
    if (this.#page.isLast) {
      this.#writeEnd();
      return true;
    }
    if (this.writer.end >= stopAt) return false;
    if (performance.now() - this.#beganAtMs > sliceMs)
      return this.#workQueue.nextSlice().then(() => {
        this.#beganAtMs = performance.now();
        return this.#readOn(stopAt);
      });
    return this.#readOn(stopAt);
  }

  #readOn(stopAt: number): boolean | Promise<boolean> {
    this.#nextRow = 0;
    const isRead = this.#page.next();
    return isRead instanceof Promise ? isRead.then(() => this.#fillOn(stopAt)) : this.#fillOn(stopAt);
  }

  #writeEnd(): void {
    const { writer } = this;
    const { members, membersOfOne } = this.#content;
    if (membersOfOne === undefined) return writer.text(`],${members}}`);
    // Its closing brace was written just now, and nothing has been taken since.
    writer.end -= 1;
    writer.text(`,${membersOfOne()}}`);
  }

  // True when every row of the slice in hand is written.
  #fillFromSlice(stopAt: number): boolean {
    const { writer } = this;
    const { rows } = this.#page;
    if (this.#isWithinRow) {
      this.#isWithinRow = !this.#cursor.goOn(writer, stopAt);
      if (this.#isWithinRow) return false;
      this.#endItem();
    }
    while (this.#nextRow < rows.length) {
      if (writer.end >= stopAt) return false;
      if (!this.#isFirst) writer.text(',');
      this.#isFirst = false;
      const row = rows[this.#nextRow] as R;
      this.#nextRow += 1;
      if (!this.#content.writeItem(this.#cursor, writer, row, stopAt)) {
        this.#isWithinRow = true;
        return false;
      }
      this.#endItem();
    }
    return true;
  }

  #endItem(): void {
    if (this.#itemEnd !== '') this.writer.text(this.#itemEnd);
  }

  /** Gives back what was lent; nothing of it is read any more. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#page[Symbol.dispose]();
    writers.takeBack(this.writer);
    if (cursors.length < cursorsMax) cursors.push(this.#cursor);
  }
}
