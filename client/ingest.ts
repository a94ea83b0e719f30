// soundings/client/ingest: sends a response to a public survey from a browser, and nothing else, in a few bytes.

import type { components } from './api.ts';
import { type CallOptions, exchange, insist, isPassing, readJson } from './retry.ts';

export { type Fault, SoundingsError } from './error.ts';
export type { CallOptions } from './retry.ts';
export type SurveyResponse = components['schemas']['SurveyResponse'];
export type IngestionResult = components['schemas']['IngestionResult'];

export interface SendOptions extends CallOptions {
  /** Of a survey whose page says `protect: page`: see docs/surveys.md. */
  readonly pageToken?: string | undefined;
}

// Browsers take 64 KiB of all requests that may outlive their page together.
const keepaliveBytesMax = 60_000;

/**
 * Sends a response, and again until there is an answer. It has an id of its own, so that it counts once however often it
 * arrives (D-663). A page that is left takes the request with it neither while it is on its way nor while it waits.
 */
export function send(
  url: string | URL,
  response: SurveyResponse,
  { pageToken, ...options }: SendOptions = {},
): Promise<IngestionResult> {
  const body = ingestionBody(response);
  const request = {
    url: `${String(url).replace(/\/+$/, '')}/v1/surveys/ingestion`,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(pageToken === undefined ? {} : { 'soundings-page-token': pageToken }),
    },
    body,
    keepalive: new TextEncoder().encode(body).length <= keepaliveBytesMax,
  };
  return insist((controller) => exchange(fetch, request, controller, readJson<IngestionResult>), {
    ...options,
    mayRepeat: isPassing,
  });
}

/** The same bytes for every try. */
export function ingestionBody(response: SurveyResponse): string {
  return JSON.stringify({ ...response, responseId: response.responseId ?? newId() });
}

/** `randomUUID` is there on pages of https alone. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
