// A page of data as bytes: the items are joined from prepared pieces, so it never exists as an object. Writers are
// lent and given back when the answer has left, because a page is as large as everything else of a request together.

import type { FastifyReply } from 'fastify';
import { type ByteWriter, WriterPool } from '../domain/byte-writer.ts';

const writers = new WriterPool(8);

export class PageWriter {
  readonly #writer: ByteWriter;
  #isFirst = true;

  constructor(hasMore: boolean) {
    this.#writer = writers.lend();
    this.#writer.text(`{"hasMore":${hasMore},"items":[`);
  }

  item(write: (writer: ByteWriter) => void): void {
    if (!this.#isFirst) this.#writer.text(',');
    this.#isFirst = false;
    write(this.#writer);
  }

  /** Closes the list, adds the other members, and sends. */
  send(reply: FastifyReply, members: string): FastifyReply {
    const writer = this.#writer;
    writer.text(`],${members}}`);
    const takeBack = (): void => writers.takeBack(writer);
    reply.type('application/json; charset=utf-8').send(writer.view());
    // Mostly all of it is with the system by now, and the next page may be written where this one was, into memory that
    // is still at hand.
    const { raw } = reply;
    if (raw.writableEnded && raw.writableLength === 0) takeBack();
    else raw.once('close', takeBack);
    return reply;
  }
}
