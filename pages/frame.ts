// The page of a survey in a frame of another page (D-458). It tells nobody but the origin that the name of the frame says, and
// listens to nobody.

import { parameterPrefix, urlField } from '../src/domain/pages/form-fields.ts';
import { type FrameMessage, readFrameName } from '../src/domain/pages/frame-message.ts';
import { element } from './element.ts';

const frameName = parent === window ? null : readFrameName(window.name);

/** Tells the page around; nothing happens where there is none, or where the frame is somebody else's. */
export function tellHost(message: FrameMessage): void {
  if (frameName === null) return;
  try {
    parent.postMessage(message, frameName.origin);
  } catch {
    // The name says something that is no origin.
  }
}

export function startFrame(form: HTMLFormElement): void {
  if (frameName === null) return;
  // Parameters and the address around: nobody else answers for whoever sits before the page.
  for (const [name, value] of Object.entries(frameName.fields))
    if (name.startsWith(parameterPrefix) || name === urlField)
      form.append(element('input', { type: 'hidden', name, value }));
  new ResizeObserver(() => {
    tellHost({ soundings: 'height', height: document.documentElement.offsetHeight });
  }).observe(document.documentElement);
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') tellHost({ soundings: 'close' });
  });
}
