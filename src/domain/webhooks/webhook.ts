// Webhooks: which events there are, what a message says of one, how it is signed, and when it is tried again (D-242).

import { createHash, createHmac } from 'node:crypto';
import { type EventType, eventTypes } from './event-types.ts';

/** The most that an account can have. */
export const webhooksPerAccount = 20;
export const webhookNameMax = 255;

/** Only sent when somebody asks for it by hand. */
export const testEvent = 'webhook.test';

export function isEventType(text: string): text is EventType {
  return (eventTypes as readonly string[]).includes(text);
}

/** As they are kept, with a space on either side of each, so that SQL finds one without taking the list to pieces. */
export function eventsText(events: readonly EventType[]): string {
  return ` ${eventTypes.filter((type) => events.includes(type)).join(' ')} `;
}

export function eventsOf(text: string): readonly EventType[] {
  return text.split(' ').filter(isEventType);
}

const urlLengthMax = 2_000;

/** What is wrong with the address of a receiver; null when nothing is. Whether it may be connected to is seen at each attempt. */
export function urlFault(text: string, mayBePlain: boolean): string | null {
  if (text.length > urlLengthMax) return `The URL has more than ${urlLengthMax} characters.`;
  if (!URL.canParse(text)) return 'The URL is not one, such as https://example.com/soundings.';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    return 'The URL holds credentials: receivers know us by the signature.';
  if (url.hash !== '') return 'The URL has a fragment, which is never sent.';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && mayBePlain)) return null;
  return 'The URL must begin with https://. Plain http:// is for networks of SOUNDINGS_WEBHOOK_NETWORKS.';
}

/** The id of an event that the log tells of: the same however often it is told, and another one for another response. */
export function eventId(...facts: readonly (string | number)[]): string {
  return `evt_${createHash('sha256').update(facts.join('\n')).digest('base64url').slice(0, 27)}`;
}

/** The message as it is sent: `data` is JSON already, with ids and positions, and never with an answer. */
export function messageOf(type: string, atMs: number, data: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${new Date(atMs).toISOString()}","data":${data}}`;
}

export const secretPrefix = 'whsec_';

/** By the Standard Webhooks specification, version 1: HMAC-SHA256 over id, time and body, once for each secret. */
export function signatureOf(
  secrets: readonly string[],
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string },
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** From the moment of the event on; what is not delivered by then is given up, and kept to be looked at. */
export const retryForMs = 72 * hourMs;
/** How long what was given up is kept. */
export const deadKeptMs = 30 * 24 * hourMs;

const waits = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
];
const longestWait = 8 * hourMs;

/** Nothing waits longer for its next attempt. */
export const waitMaxMs = Math.round(longestWait * 1.2);

/** How long to wait after so many failed attempts; `chance` from 0 to 1 parts receivers that failed together. */
export function waitAfter(attempts: number, chance: number): number {
  return Math.round((waits[attempts - 1] ?? longestWait) * (0.8 + 0.4 * chance));
}
