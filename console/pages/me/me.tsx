// The page of whoever is signed in.

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { session } from '../../frame/session.ts';
import { spoken } from '../../frame/texts.ts';
import { loadMe, showMe } from '../../me.ts';
import { personTexts } from '../../person-texts.ts';
import { problemTexts } from '../../problem-texts.ts';

export const texts = [personTexts, problemTexts];

export default function Me(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const round = spoken.value;
  useEffect(() => {
    // In another language everything is said anew.
    if (round >= 0) void loadMe(session.value).then(() => place.current !== null && showMe(place.current));
  }, [round]);
  return <div ref={place} class="prose" />;
}
