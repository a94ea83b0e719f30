// Which methods a path takes, from the same declarations the server was built from.

import type { DeclaredEndpoint } from './route.ts';

/** The endpoints that a path leads to, whatever the method. */
export function endpointsAt(
  endpoints: readonly DeclaredEndpoint[],
  path: string,
): readonly DeclaredEndpoint[] {
  // A path such as /Users/.search that is an endpoint of its own does not also match the pattern /Users/:id.
  const given = path.split('/');
  const own = endpoints.filter((endpoint) => endpoint.path === path);
  return own.length > 0 ? own : endpoints.filter((endpoint) => matches(endpoint.path, given));
}

export function allowedMethods(answering: readonly DeclaredEndpoint[]): readonly string[] {
  const methods = new Set(answering.map(({ method }) => method as string));
  if (methods.size === 0) return [];
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].sort();
}

function matches(pattern: string, given: readonly string[]): boolean {
  const wanted = pattern.split('/');
  if (wanted.at(-1) === '*')
    return given.length >= wanted.length && wanted.slice(0, -1).every((part, index) => part === given[index]);
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  );
}
