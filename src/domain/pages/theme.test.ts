import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { PageTheme } from '../feedback/definition.ts';
import { faultSentence } from '../feedback/fault-sentence.ts';
import { lightnessOf, mixed, withLightness } from './colour.ts';
import {
  type Colours,
  contrast,
  lightnessSteps,
  nearestColour,
  type ThemeFault,
  themeColours,
  themeFaults,
} from './theme.ts';

const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
const some = fc.record({ accent: colour, background: colour, text: colour }, { requiredKeys: [] });
const theme = fc.tuple(some, fc.option(some, { nil: undefined })).map(([light, dark]) => ({
  ...light,
  ...(dark && { dark }),
}));
const runs = { numRuns: 150 };

/** Every pair that stands on the page, and what it needs. */
function pairsOf({ accent, onAccent, background, text, muted, border, focus, fault }: Colours) {
  const tint = mixed(accent, background, 0.09);
  return [
    ...[text, muted, fault, accent].flatMap((one) => [
      [one, background, 4.5],
      [one, tint, 4.5],
    ]),
    [onAccent, accent, 4.5],
    [border, background, 3],
    [focus, background, 3],
  ] as const;
}

function assertPasses(colours: Colours): void {
  for (const [one, other, needed] of pairsOf(colours) as readonly (readonly [string, string, number])[]) {
    assert.match(one, /^#[0-9a-f]{6}$/);
    assert.ok(contrast(one, other) >= needed, `${one} on ${other}: ${contrast(one, other)} of ${needed}`);
  }
}

function inPlace(one: PageTheme, path: string, value: string): PageTheme {
  const [dark, name] = path.startsWith('dark.') ? [one.dark ?? {}, path.slice(5)] : [null, path];
  return dark === null ? { ...one, [name]: value } : { ...one, dark: { ...dark, [name]: value } };
}

function nearestIn({ values }: ThemeFault): string {
  return String(values.nearest);
}

describe('the theme of a page', () => {
  it('contrast is that of WCAG', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21);
    assert.equal(contrast('#123456', '#123456'), 1);
    // The pairs that everybody knows: the lightest grey that passes on white, and the first that does not.
    assert.equal(contrast('#767676', '#ffffff').toFixed(2), '4.54');
    assert.equal(contrast('#ffffff', '#777777').toFixed(2), '4.48');
    assert.equal(contrast('#ff0000', '#ffffff').toFixed(2), '4.00');
  });

  it('without a word it is that of the style sheet, and passes in light and dark [D-423]', () => {
    const css = readFileSync('pages/survey.css', 'utf8');
    const { light, dark } = themeColours(undefined);
    for (const colours of [light, dark]) assertPasses(colours);
    const long = (short: string) => (short.length === 4 ? short.replaceAll(/[0-9a-f]/g, '$&$&') : short);
    for (const [name, value] of Object.entries(light)) {
      const property = name.replace('onAccent', 'on-accent');
      const said = new RegExp(`--${property}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css);
      assert.deepEqual([long(said![1]!), long(said![2]!)], [value, dark[name as keyof Colours]], name);
    }
  });

  it('whatever a catalogue names, every pair of colours on the page passes, or the theme is a fault [D-423]', () => {
    let faulty = 0;
    fc.assert(
      fc.property(theme, (one) => {
        let right = one;
        // What a fault names is taken for what was there, as an operator would.
        for (let round = 1; themeFaults(right).length > 0; round += 1) {
          assert.ok(round < 4, JSON.stringify(themeFaults(right)));
          for (const fault of themeFaults(right)) right = inPlace(right, fault.path, nearestIn(fault));
        }
        if (right !== one) faulty += 1;
        const { light, dark } = themeColours(right);
        for (const colours of [light, dark]) assertPasses(colours);
        for (const [said, shown] of [
          [right, light],
          [right.dark ?? {}, dark],
        ] as const)
          for (const name of ['accent', 'background', 'text'] as const)
            if (said[name] !== undefined) assert.equal(shown[name], said[name]);
      }),
      runs,
    );
    assert.ok(faulty > 20, `${faulty} themes with faults`);
  });

  it('a brand of a middle colour passes in light and dark without a word about the dark [D-423]', () => {
    fc.assert(
      fc.property(colour, (accent) => {
        const passing = nearestColour(accent, (one) => themeFaults({ accent: one }).length === 0);
        const { light, dark } = themeColours({ accent: passing! });
        assert.equal(light.accent, passing);
        for (const colours of [light, dark]) assertPasses(colours);
      }),
      runs,
    );
  });

  it('a colour that cannot be read is named with the nearest of its hue that can [D-423]', () => {
    fc.assert(
      fc.property(theme, (one) => {
        for (const fault of themeFaults(one)) {
          const { path, values } = fault;
          const passes = (value: string) =>
            !themeFaults(inPlace(one, path, value)).some((fault) => fault.path === path);
          const said = String(values.colour ?? values.background);
          assert.deepEqual([passes(said), passes(nearestIn(fault))], [false, true], faultSentence(fault));
        }
      }),
      runs,
    );
  });

  /** In steps of lightness: near black, which is where it is largest. */
  const oneByte = 60;

  it('the nearest colour passes, and none between it and the colour does, lighter or darker [D-423]', () => {
    fc.assert(
      fc.property(colour, colour, (one, background) => {
        const passes = (value: string) => contrast(value, background) >= 4.5;
        const nearest = nearestColour(one, passes)!;
        assert.ok(passes(nearest));
        const start = lightnessOf(one);
        const distance = Math.abs(lightnessOf(nearest) - start);
        for (let step = 1; step < distance * lightnessSteps - oneByte; step += 1)
          for (const lightness of [start - step / lightnessSteps, start + step / lightnessSteps])
            if (lightness >= 0 && lightness <= 1) {
              const between = withLightness(one, lightness);
              assert.ok(between === nearest || !passes(between), `${between} is nearer than ${nearest}`);
            }
      }),
      { numRuns: 20 },
    );
  });

  it('black and white are at the ends of lightness, and a colour at its own lightness is itself', () => {
    assert.deepEqual([withLightness('#3366cc', 0), withLightness('#3366cc', 1)], ['#000000', '#ffffff']);
    fc.assert(
      fc.property(colour, (one) => assert.equal(withLightness(one, lightnessOf(one)), one)),
      runs,
    );
  });
});
