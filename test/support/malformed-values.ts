// Values that no honest client sends, and what becomes of honest ones.

import type { Seeded } from './seeded.ts';

/** Stands in every text that is made up here, and in no line of the log above debug. */
export const canary = 'kanarienvogel';

/** Of any type. */
export function hostileValue(chance: Seeded): unknown {
  return chance.pick<() => unknown>([
    () => null,
    () => true,
    () => false,
    () => 0,
    () => -1,
    () => 1.5,
    () => 2 ** 31,
    () => 2 ** 53,
    () => -(2 ** 63),
    () => 1e308,
    () => [],
    () => ({}),
    () => '',
    () => ' ',
    () => canary,
    () => `${canary} "quoted" 'twice' \\ end`,
    () => `${canary}\u0000`,
    () => `${canary}\ud800`,
    () => `\udc00${canary}`,
    () => `${canary}\r\n\t\u0007\u001b[31m`,
    () => `${canary}\u202e\ufeff\u2028`,
    () => `😀${canary}ß`.repeat(chance.pick([1, 20])),
    () => canary.repeat(chance.pick([10, 100, 2_000])),
    () => `../../${canary}`,
    () => `${canary}' or 1=1 --`,
    () => `${canary}%00%ff`,
    () => `<script>${canary}</script>`,
    () => `{{${canary}}}`,
    () => `${canary} eq "x" and (`,
    () => `is,${canary},x;;`,
    () => `2026-02-30T25:61:61${canary}`,
    () => '2026-02-30',
    () => '0000-00-00',
    () => '99999999999999999999999',
    () => '1e9',
    () => '-0',
    () => `https://${canary}.example/\u0000`,
    () => [canary, canary],
    () => [[[[canary]]]],
    () => ({ [canary]: { [canary]: [canary] } }),
    () => nested(chance.pick([5, 31, 33, 200])),
    () => Array.from({ length: chance.pick([60, 1_200]) }, () => canary),
    () => Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${canary}${at}`, at])),
  ])();
}

function nested(depth: number): unknown {
  let value: unknown = canary;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** The same with one thing changed, somewhere inside of it. */
export function mutateBody(body: unknown, chance: Seeded): unknown {
  if (typeof body !== 'object' || body === null || chance.percent(5)) return hostileValue(chance);
  if (Array.isArray(body)) {
    if (body.length === 0 || chance.percent(15)) return [...body, hostileValue(chance)];
    const at = chance.below(body.length);
    return body.map((one, index) => (index === at ? mutateBody(one, chance) : one));
  }
  const names = Object.keys(body);
  const members = body as Readonly<Record<string, unknown>>;
  const name = names.length === 0 ? canary : chance.pick(names);
  const { [name]: value, ...rest } = members;
  return chance.pick<() => object>([
    () => rest,
    () => ({
      ...members,
      [chance.pick([canary, '', 'constructor', `${canary}\u0000`])]: hostileValue(chance),
    }),
    () => ({ ...members, [name.toUpperCase()]: value }),
    () => ({ ...members, [name]: hostileValue(chance) }),
    () => ({ ...members, [name]: hostileValue(chance) }),
    () => ({ ...members, [name]: mutateBody(value, chance) }),
    () => ({ ...members, [name]: mutateBody(value, chance) }),
    () => ({ ...members, [name]: [value, value] }),
    () => ({ ...members, [name]: { value } }),
    () => ({ ...members, [name]: typeof value === 'string' ? `${value}${canary}` : String(value) }),
  ])();
}

/** The bytes of a body with something wrong: cut, doubled, of another encoding, with what parsers stumble over. */
export function mutateText(text: string, chance: Seeded): string | Uint8Array {
  const at = chance.below(text.length + 1);
  const put = (piece: string): string => text.slice(0, at) + piece + text.slice(at);
  return chance.pick<() => string | Uint8Array>([
    () => text.slice(0, at),
    () => '',
    () => text + text,
    () => `\ufeff${text}`,
    () => put(`"${canary}`),
    () => put(canary),
    () => put('\u0000'),
    () => put('\\'),
    () => put('"'),
    () => put(`\n${canary}"${canary}",\n`),
    () => put('['.repeat(20_000)),
    () => put('1e999'),
    () => put('\\ud800'),
    () => put('"__proto__":{},'),
    () => text.replace('{', `{"__proto__":{"${canary}":1},`),
    () => text.replace('{', '{"a":1,"a":2,'),
    () => text.replaceAll(':', '='),
    () => Buffer.from(text, 'utf16le'),
    () =>
      Buffer.concat([
        Buffer.from(text.slice(0, at)),
        Buffer.from([0xff, 0xfe, 0xc0]),
        Buffer.from(text.slice(at)),
      ]),
    () => Buffer.from(`${canary}ä${text}`, 'latin1'),
  ])();
}
