// The colours of a survey's page. A catalogue names up to three of them for light and for dark; everything else is made from
// these, so that every text and every sign on the page has the contrast that WCAG 2.2 AA asks for (D-423).

import { type Phrase, phrase } from '../feedback/catalogue-fault.ts';
import type { PageColours, PageTheme } from '../feedback/definition.ts';
import { lightnessOf, luminanceOf, mixed, withLightness } from './colour.ts';

/** All as #rrggbb. */
export interface Colours {
  readonly accent: string;
  readonly onAccent: string;
  readonly background: string;
  readonly text: string;
  readonly muted: string;
  readonly border: string;
  readonly focus: string;
  readonly fault: string;
}

export interface ThemeFault extends Phrase {
  /** Within the theme, such as `dark.accent`. */
  readonly path: string;
}

/** Of text, and of what is not text but has to be seen: WCAG 1.4.3 and 1.4.11. */
const textContrast = 4.5;
const signContrast = 3;

/** What the style sheet has where nothing is said. */
const usual: Readonly<Record<Mode, Colours>> = {
  light: {
    accent: '#0b6169',
    onAccent: '#ffffff',
    background: '#ffffff',
    text: '#16262a',
    muted: '#52646a',
    border: '#77878b',
    focus: '#0b6169',
    fault: '#a3271c',
  },
  dark: {
    accent: '#6fd3d3',
    onAccent: '#052a2d',
    background: '#10191b',
    text: '#e7eeee',
    muted: '#a3b5b8',
    border: '#74898e',
    focus: '#6fd3d3',
    fault: '#ffb0a3',
  },
};

type Mode = 'light' | 'dark';

/** As WCAG defines it: from 1 for the same colour to 21 for black and white. */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** Every colour that the catalogue names and that cannot be read, with the nearest one that can. */
export function themeFaults(theme: PageTheme): readonly ThemeFault[] {
  return [
    ...faultsOf(theme, theme, 'light', ''),
    ...faultsOf(darkOf(theme), theme.dark ?? {}, 'dark', 'dark.'),
  ];
}

/** Every colour of the page, each with the contrast that it needs. */
export function themeColours(theme: PageTheme | undefined): {
  readonly light: Colours;
  readonly dark: Colours;
} {
  return { light: coloursOf(theme ?? {}, 'light'), dark: coloursOf(darkOf(theme ?? {}), 'dark') };
}

/** The brand's colour stays in the dark, as much lighter as it has to be there. */
function darkOf({ accent, dark }: PageTheme): PageColours {
  return { ...(accent !== undefined && { accent }), ...dark };
}

/** Of the colours that are named: what is not named is made to pass. */
function faultsOf(said: PageColours, named: PageColours, mode: Mode, prefix: string): readonly ThemeFault[] {
  const faults: ThemeFault[] = [];
  const background = said.background ?? usual[mode].background;
  // On a middle grey neither black nor white is far enough away once it is tinted.
  const hasRoom = (colour: string): boolean => {
    const accent = nearestColour(said.accent ?? usual[mode].accent, (one) => isAccent(one, colour));
    return accent !== null && isReadable(farthest(colour), colour, accent);
  };
  if (!hasRoom(background)) {
    const nearest = nearestColour(background, hasRoom);
    const what = phrase('noTextColour', {
      needed: textContrast,
      background,
      nearest: nearest ?? farthest(background),
    });
    return [{ path: `${prefix}background`, ...what }];
  }
  const accent = said.accent ?? usual[mode].accent;
  const check = (name: 'text' | 'accent', colour: string, passes: (colour: string) => boolean): void => {
    if (passes(colour)) return;
    const reached = contrast(colour, background).toFixed(2);
    const nearest = nearestColour(colour, passes) ?? farthest(background);
    faults.push({
      path: `${prefix}${name}`,
      ...phrase(`${mode}Contrast`, { colour, reached, background, needed: textContrast, nearest }),
    });
  };
  if (named.accent !== undefined) check('accent', accent, (colour) => isAccent(colour, background));
  const shown = accentFor(accent, background);
  if (named.text !== undefined) check('text', named.text, (colour) => isReadable(colour, background, shown));
  return faults;
}

/** Black or white is always an accent that can be read, so this one is too. */
function accentFor(accent: string, background: string): string {
  return nearestColour(accent, (colour) => isAccent(colour, background)) ?? farthest(background);
}

function coloursOf(said: PageColours, mode: Mode): Colours {
  const background = said.background ?? usual[mode].background;
  const accent = accentFor(said.accent ?? usual[mode].accent, background);
  const isText = (colour: string) => isReadable(colour, background, accent);
  const text = nearestColour(said.text ?? usual[mode].text, isText) ?? farthest(background);
  const isSign = (colour: string) => contrast(colour, background) >= signContrast;
  return {
    accent,
    onAccent: onAccentOf(accent, mode),
    background,
    text,
    muted: nearestColour(usual[mode].muted, isText) ?? text,
    border: nearestColour(usual[mode].border, isSign) ?? text,
    focus: accent,
    fault: nearestColour(usual[mode].fault, isText) ?? text,
  };
}

/** Links and plain buttons are words in the accent, so it needs what text needs. */
function isAccent(colour: string, background: string): boolean {
  return isReadable(colour, background, colour);
}

/** On the background, and on the tint of it that marks an answer. */
function isReadable(colour: string, background: string, accent: string): boolean {
  return (
    contrast(colour, background) >= textContrast &&
    contrast(colour, mixed(accent, background, tintShare)) >= textContrast
  );
}

/** As much of the accent as the style sheet mixes into the background. */
const tintShare = 0.09;

function onAccentOf(accent: string, mode: Mode): string {
  const ours = usual[mode].onAccent;
  return contrast(ours, accent) >= textContrast ? ours : farthest(accent);
}

/** Black or white, whichever can be told from the colour more easily: one of them has a contrast of 4.58 at least. */
function farthest(colour: string): string {
  return contrast('#000000', colour) > contrast('#ffffff', colour) ? '#000000' : '#ffffff';
}

/** Steps from black to white. */
export const lightnessSteps = 1_000;

/** The colour itself where it passes, else the same hue as little lighter or darker as it has to be; null where none is. */
export function nearestColour(colour: string, passes: (colour: string) => boolean): string | null {
  if (passes(colour)) return colour;
  const lightness = lightnessOf(colour);
  const darker = firstStep(lightness, (step) =>
    passes(withLightness(colour, Math.max(0, lightness - step / lightnessSteps))),
  );
  const lighter = firstStep(1 - lightness, (step) =>
    passes(withLightness(colour, Math.min(1, lightness + step / lightnessSteps))),
  );
  if (darker === null && lighter === null) return null;
  const isDarker = lighter === null || (darker !== null && darker <= lighter);
  const moved = isDarker ? lightness - darker! / lightnessSteps : lightness + lighter! / lightnessSteps;
  return withLightness(colour, Math.min(1, Math.max(0, moved)));
}

/** Away from a colour that fails, in one direction: what passes once passes from there on, so halves are enough. */
function firstStep(distance: number, passes: (step: number) => boolean): number | null {
  let [low, high] = [0, Math.ceil(distance * lightnessSteps)];
  if (high === 0 || !passes(high)) return null;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (passes(middle)) high = middle;
    else low = middle;
  }
  return high;
}
