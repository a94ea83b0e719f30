// The target of a request (the path and query in its first line) and its Host header: the faults that concern every
// endpoint, and the spellings that mean the same endpoint.

import type { FastifyRequest } from 'fastify';
import { Problem } from '../../domain/problem.ts';

/** Below these a slash at the end of an address means what it means without it. */
const slashPaths = ['/v1/', '/scim/v2/', '/console/api/'];

/** The target as the router is to see it. */
export function routedTarget(url: string): string {
  return withoutLastSlash(originForm(url));
}

/** A target may name the server too (RFC 9112 3.2.2). The name is dropped: it is as untrusted as the Host header. */
function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const [server] = url.match(/^https?:\/\/[^/?#]+/i) ?? [];
  if (server === undefined) return url;
  const rest = url.slice(server.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** `/scim/v2/Users/?filter=...` is `/scim/v2/Users?filter=...`: clients write both (D-91). */
function withoutLastSlash(url: string): string {
  if (!slashPaths.some((path) => url.startsWith(path))) return url;
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  return path.endsWith('/') ? path.slice(0, -1) + url.slice(path.length) : url;
}

/** Refuses what is wrong with the target or the Host header, before the route is asked about. */
export function judgeTarget(request: FastifyRequest, urlLimitBytes: number): void {
  const { url = '', rawHeaders, httpVersion } = request.raw;
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    throw new Problem('MALFORMED_HTTP', 'The request is not HTTP/1.1 or HTTP/1.0.');
  if (url.length > urlLimitBytes)
    throw new Problem('URL_TOO_LONG', `The address is longer than ${urlLimitBytes} bytes.`);
  if (!url.startsWith('/')) throw new Problem('MALFORMED_URL', 'The address must be a path.');
  if (url.includes('%')) {
    // The router has decoded the path; the query is decoded here, before anyone reads from it.
    const isDecodable = canDecode(url.slice(url.indexOf('?') + 1));
    if (!isDecodable || url.includes('%00'))
      throw new Problem('MALFORMED_URL', 'The address holds an escape that cannot be decoded.');
  }
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  // Two Host headers smuggle a request past a proxy that reads the other one.
  if (hosts > 1) throw new Problem('MALFORMED_HTTP', 'The request has more than one Host header.');
  if (hosts === 0 && httpVersion === '1.1')
    throw new Problem('MALFORMED_HTTP', 'The request has no Host header.');
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
