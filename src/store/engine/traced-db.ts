// The store, with every question and change as a part of the request that it is asked for. Statements are told with the
// places of their values and never with the values.

import type { Sql } from 'sql-template-tag';
import type { Change, Db, Fields, LargeAnswer, Row } from './db.ts';
import type { TraceFacts, Tracing } from './tracing.ts';

const textMax = 500;

export function tracedDb(db: Db, tracing: Tracing): Db {
  const factsOf = (query: Sql): TraceFacts => ({
    'db.system.name': db.dialect.systemName,
    'db.query.text': query.sql.replaceAll(/\s+/g, ' ').trim().slice(0, textMax),
  });
  return {
    engine: db.engine,
    // It is learned with the first question.
    get dialect() {
      return db.dialect;
    },
    limits: db.limits,
    read<R = Row>(query: Sql): Promise<readonly R[]> {
      if (!tracing.isRecording) return db.read<R>(query);
      return tracing.within('store read', factsOf(query), () => db.read<R>(query));
    },
    readLarge<R>(query: Sql, rowOf: (fields: Fields) => R, bytesMax?: number) {
      const read = (): LargeAnswer<R> | Promise<LargeAnswer<R>> => db.readLarge(query, rowOf, bytesMax);
      return tracing.isRecording ? tracing.within('store read', factsOf(query), read) : read();
    },
    write<Input extends object, Output>(change: Change<Input, Output>, input: Input, withinMs?: number) {
      const write = (): Promise<Output> => db.write(change, input, withinMs);
      if (!tracing.isRecording) return write();
      const facts = { 'db.system.name': db.dialect.systemName, 'db.operation.name': change.name };
      return tracing.within(`store change ${change.name}`, facts, write);
    },
    probe: () => db.probe(),
    figures: () => db.figures(),
    close: () => db.close(),
  };
}
