// The store, with every question and change as a part of the request that it is asked for. Statements are told with the
// places of their values and never with the values.

import type { Sql } from 'sql-template-tag';
import type { Change, Db, Fields, LargeAnswer, Row, WaitLimits } from '../db.ts';
import type { TraceFacts, Tracing } from './tracing.ts';

const textMax = 500;

export function tracedDb(plain: Db, tracing: Tracing): Db {
  const factsOf = (query: Sql): TraceFacts => ({
    'db.system.name': plain.dialect.systemName,
    'db.query.text': query.sql.replaceAll(/\s+/g, ' ').trim().slice(0, textMax),
  });
  return {
    engine: plain.engine,
    // It is learned with the first question.
    get dialect() {
      return plain.dialect;
    },
    limits: plain.limits,
    get encoding() {
      return plain.encoding ?? null;
    },
    read<R = Row>(query: Sql, limits?: WaitLimits): Promise<readonly R[]> {
      if (!tracing.isRecording) return plain.read<R>(query, limits);
      return tracing.within('store read', factsOf(query), () => plain.read<R>(query, limits));
    },
    readLarge<R>(query: Sql, rowOf: (fields: Fields) => R, bytesMax?: number, limits?: WaitLimits) {
      const read = (): LargeAnswer<R> | Promise<LargeAnswer<R>> =>
        plain.readLarge(query, rowOf, bytesMax, limits);
      return tracing.isRecording ? tracing.within('store read', factsOf(query), read) : read();
    },
    write<Input extends object, Output>(change: Change<Input, Output>, input: Input, limits?: WaitLimits) {
      const write = (): Promise<Output> => plain.write(change, input, limits);
      if (!tracing.isRecording) return write();
      const facts = { 'db.system.name': plain.dialect.systemName, 'db.operation.name': change.name };
      return tracing.within(`store change ${change.name}`, facts, write);
    },
    probe: () => plain.probe(),
    changing: plain.changing,
    figures: () => plain.figures(),
    close: () => plain.close(),
  };
}
