// A route of a test's own beside those of the service: what it takes stands beside what it does.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { Area, InputOf, Operation, OperationKey } from '../../src/contract/operation.ts';
import { addOperation } from '../../src/http/server/route.ts';

type Unread = Omit<Operation, 'query' | 'params' | 'body' | 'area'>;

interface TestRoute<Declared extends Operation> extends Unread {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly area: Area;
  readonly bodyLimitBytes?: number;
  readonly handle: (input: InputOf<Declared>, request: FastifyRequest, reply: FastifyReply) => unknown;
}

export function addRoute<
  Query extends TObject = TObject,
  Params extends TObject = TObject,
  Body extends TSchema = never,
>(
  app: FastifyInstance,
  {
    method,
    path,
    area,
    bodyLimitBytes,
    handle,
    ...operation
  }: TestRoute<Unread & { readonly query: Query; readonly params: Params; readonly body: Body }> & {
    readonly query?: Query;
    readonly params?: Params;
    readonly body?: Body;
  },
): void {
  const key: OperationKey = `${method} ${path}`;
  const set = { base: '', area, refusals: [], all: { [key]: operation } };
  const serving = bodyLimitBytes === undefined ? {} : { bodyLimitBytes };
  addOperation(app, set, key, handle as Parameters<typeof addOperation>[3], serving);
}
