// The first look at a page, drawn by the server with the pages' own code, so that nobody waits for a script to see it (D-781). The
// service runs this file with what of a browser it needs, anew for each look: nothing of one is left for the next.

import { App, choosePage } from '../frame/app.tsx';
import { frameTexts } from '../frame/messages.ts';
import { preloadedSession } from '../frame/page-preload.ts';
import { session } from '../frame/session.ts';
import { chooseLanguage } from '../language.ts';
import { type DrawnElement, htmlOf } from './preact.ts';

export async function drawFirst(): Promise<string> {
  chooseLanguage();
  session.value = preloadedSession!;
  await frameTexts.load();
  const { kind } = await choosePage();
  if (kind !== 'page') throw new Error(`There is no page to draw: ${kind}.`);
  return htmlOf((<App />) as unknown as DrawnElement);
}
