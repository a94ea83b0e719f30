// What is asked of a store of figures: answers one after the other by one caller, and responses at a rate.

import { pageRequest } from './benches/pages.ts';
import { insightBody } from './insight-data.ts';
import type { PreparedService } from './processes.ts';

export const readLeadInMs = 300;

export function readOrder(
  service: PreparedService,
  paths: readonly string[],
  measuredMs: number,
  requestOf: (path: string) => string = (path) => pageRequest(service, path),
) {
  const sequence = paths.map(requestOf);
  const { port, pid: serverPid } = service;
  return {
    port,
    serverPid,
    request: sequence[0]!,
    sequence,
    connections: 1,
    leadInMs: readLeadInMs,
    measuredMs,
  };
}

export function ingestOrder(
  { port, pid: serverPid, token }: PreparedService,
  measuredMs: number,
  requestsASecond?: number,
  kind: 'measure' | 'neighbour' = 'neighbour',
) {
  // Ids and times are given by the service, so that each is another response, of now.
  const { responseId: _id, submissionTimestamp: _time, ...body } = insightBody(kind, 4_711, 1_000_000);
  const sent = JSON.stringify(body);
  const request = [
    'POST /v1/surveys/ingestion HTTP/1.1',
    'host: x',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(sent)}`,
    '',
    sent,
  ].join('\r\n');
  return {
    port,
    serverPid,
    request,
    connections: 32,
    leadInMs: readLeadInMs,
    measuredMs,
    ...(requestsASecond === undefined ? {} : { requestsASecond }),
  };
}
