// Colours as #rrggbb, in light as WCAG weighs it and in OKLab, where equal steps of lightness look equal and a colour that is
// made lighter or darker keeps its hue.

type Three = readonly [number, number, number];

/** Relative luminance, from 0 for black to 1 for white. */
export function luminanceOf(colour: string): number {
  const [red, green, blue] = linearOf(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** So much of `one`, and the rest of `other`, as `color-mix(in srgb, …)` mixes them. */
export function mixed(one: string, other: string, share: number): string {
  const [a, b] = [channelsOf(one), channelsOf(other)];
  return colourOf(a.map((value, at) => value * share + b[at]! * (1 - share)) as unknown as Three);
}

/** From 0 for black to 1 for white, as people see it. */
export function lightnessOf(colour: string): number {
  return labOf(colour)[0];
}

/** The same hue at another lightness, with as much of its chroma as a screen can show there. */
export function withLightness(colour: string, lightness: number): string {
  const [, a, b] = labOf(colour);
  const at = (share: number): Three => linearOfLab([lightness, a * share, b * share]);
  let [low, high] = [0, 1];
  if (isShown(at(1))) low = 1;
  else
    for (let round = 0; round < 20; round += 1) {
      const middle = (low + high) / 2;
      if (isShown(at(middle))) low = middle;
      else high = middle;
    }
  return colourOf(at(low).map(encoded) as unknown as Three);
}

function isShown(linear: Three): boolean {
  return linear.every((value) => value >= -1e-6 && value <= 1 + 1e-6);
}

/** Red, green and blue from 0 to 1, as they are written. */
function channelsOf(colour: string): Three {
  const number = Number.parseInt(colour.slice(1), 16);
  return [(number >> 16) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
}

function colourOf(channels: Three): string {
  const bytes = channels.map((value) => Math.round(Math.min(1, Math.max(0, value)) * 255));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function linearOf(colour: string): Three {
  return channelsOf(colour).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  ) as unknown as Three;
}

function encoded(linear: number): number {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * Math.max(linear, 0) ** (1 / 2.4) - 0.055;
}

function labOf(colour: string): Three {
  const [red, green, blue] = linearOf(colour);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}

function linearOfLab([lightness, a, b]: Three): Three {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}
