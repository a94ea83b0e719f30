// A search over all types at once: users first, then groups, each in the order that was asked for. The filter is read
// once for each type, because a name means that type's own attribute; what a type lacks has no value there
// (RFC 7644 section 3.4.2.1, D-141).

import type { FastifyInstance } from 'fastify';
import { rootSearchOperations } from '../../contract/provisioning/whole-face.ts';
import { shownStart, windowOfStart } from '../../domain/window.ts';
import { type Face, readSort } from '../../scim/faces.ts';
import { type FilterLimits, parseFilter } from '../../scim/filter.ts';
import { readProjection } from '../../scim/projection.ts';
import { rootSchemaViews, type SchemaView } from '../../scim/schema-view.ts';
import type { SearchWork } from '../../store/engine/work/scan-slots.ts';
import type { SearchSort } from '../../store/provisioning/search-order.ts';
import { filterLimitsOf, type SearchServices, searchWork } from '../server/request-budget.ts';
import { addOperation, callerOfRequest } from '../server/route.ts';
import { type PiecedPage, type Pieces, piecesOfList, sendPieces } from '../server/sliced-answer.ts';
import { type Asked, askedByBody } from './list-request.ts';
import type { ResourceType } from './resource-type.ts';

export function rootSearchRoutes(
  app: FastifyInstance,
  services: SearchServices,
  face: Face,
  types: readonly ResourceType[],
): void {
  const limits = filterLimitsOf(services.context.config);
  const filterViews = rootSchemaViews(types.map(({ schemaView }) => schemaView));
  const searched = types.map((type, at) => ({ type, filterView: filterViews[at]! }));
  addOperation(app, rootSearchOperations(face, types), 'POST /.search', async ({ body }, request, reply) => {
    const { accountId } = callerOfRequest(request);
    const searching = searchWork(services, request, reply);
    const page = await searchAll(searched, limits, accountId, askedByBody(body, request), searching);
    return sendPieces(services, request, reply, piecesOfList(face, page));
  });
}

interface SearchedType {
  readonly type: ResourceType;
  /** Its attributes, and those of the other types as attributes of which it has no value. */
  readonly filterView: SchemaView;
}

async function searchAll(
  searched: readonly SearchedType[],
  limits: FilterLimits,
  accountId: number,
  asked: Asked,
  searching: SearchWork,
): Promise<PiecedPage> {
  const { filter, startIndex, count } = asked;
  const filters = searched.map(({ filterView }) =>
    filter === undefined ? null : parseFilter(filter, filterView, limits),
  );
  const views = searched.map(({ type }) => type.schemaView);
  const sorts = sortsOf(asked, views);
  const projections = views.map((schemaView) => readProjection(asked, schemaView));
  const window = windowOfStart(startIndex, count);
  const resources: Pieces[] = [];
  let total = 0;
  let isCut = false;
  for (const [at, { type }] of searched.entries()) {
    // A type begins where the one before it ends, so its window begins where that of the other ran out.
    const skip = Math.max(0, window.skip - total);
    // Where not even those of the type before could all be shown, this one's come on a later page.
    const take = isCut ? 0 : window.take - resources.length;
    const query = { filter: filters[at]!, sort: sorts[at]!, window: { skip, take } };
    const page = await type.findPage(accountId, query, projections[at]!, searching);
    resources.push(...page.resources);
    total += page.total;
    isCut ||= skip + page.resources.length < page.total;
  }
  return { totalResults: total, startIndex: shownStart(startIndex, window), resources };
}

/** An attribute that only some of the types have orders those alone; one that none has is refused. */
function sortsOf({ sortBy, sortOrder }: Asked, views: readonly SchemaView[]): readonly (SearchSort | null)[] {
  if (sortBy === undefined) return views.map(() => null);
  const descending = sortOrder === 'descending';
  const knows = (schemaView: SchemaView): boolean => schemaView.resolve(sortBy) !== null;
  // Refuses what cannot be sorted by, in the words of the first type that has it.
  readSort(sortBy, views.find(knows) ?? views[0]!);
  return views.map((schemaView) =>
    knows(schemaView) ? { attribute: readSort(sortBy, schemaView), descending } : null,
  );
}
