// The page of a survey in a frame: it needs nothing of the page around but to be let in (`frame-src`).

import { type FrameMessage, writeFrameName } from '../src/domain/pages/frame-message.ts';
import { element } from './element.ts';
import type { Content } from './embed-content.ts';
import { addEventListener, removeEventListener } from './unclobbered.ts';

interface Frame extends Content {
  readonly title: string;
  readonly openInNewTab: string;
  readonly onClose: () => void;
}

export function showFrame({ place, address, title, openInNewTab, fields, onAnswered, onClose }: Frame): void {
  const frame = element('iframe', {
    className: 'frame',
    src: address,
    title,
    name: writeFrameName({ origin: location.origin, fields }),
  });
  place.replaceChildren(
    frame,
    element('a', { className: 'out', href: address, target: '_blank', rel: 'noopener' }, openInNewTab),
  );
  const listen = (event: Event): void => {
    if (!frame.isConnected) return removeEventListener('message', listen);
    const { source, origin, data } = event as MessageEvent<FrameMessage | null>;
    // The same window may show another page by now.
    if (source !== frame.contentWindow || origin !== new URL(address).origin) return;
    const { soundings: kind, height } = data ?? {};
    if (kind === 'answered') onAnswered();
    if (kind === 'close') onClose();
    // What is no number is no height either, and the browser passes over it.
    if (kind === 'height') frame.style.height = `${Math.min(height!, 20_000)}px`;
  };
  addEventListener('message', listen);
}
