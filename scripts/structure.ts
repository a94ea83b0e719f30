// npm run structure: how the folders of the program hang together. For each area of a layer: its files, its doors (the files
// that other areas of the layer or layers above import), and the areas of the same layer that it imports; then circles and how
// many imports cross a border. test/layers.test.ts holds the tree against the same figures.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Layers whose areas have doors. `domain/`, `contract/` and `scim/` are made to be imported. */
const layersWithDoors = ['src/store', 'src/acts', 'src/http'] as const;
/** What every area of a layer builds on; imports of these are not counted as crossings. */
const foundations = ['src/store/engine', 'src/http/server'];

interface Import {
  readonly from: string;
  readonly to: string;
}

interface Area {
  readonly name: string;
  readonly files: readonly string[];
  /** Files of the area that are imported from outside it. */
  readonly doors: readonly string[];
  /** Other areas of the same layer that its files import. */
  readonly imports: readonly string[];
}

interface Structure {
  readonly areas: readonly Area[];
  /** Pairs of areas of one layer that import each other, directly or through others. */
  readonly circles: readonly string[];
  /** Imports between areas of one layer, without those of `foundations`. */
  readonly crossings: readonly Import[];
  readonly imports: readonly Import[];
}

export function readStructure(root: string): Structure {
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !isTest(file));
  const imports = files.flatMap((file) => importsOf(root, file));
  const names = [...new Set(files.map(areaOf).filter((name) => name !== null))].sort();
  const neighbours = new Map(
    names.map((name) => [
      name,
      [
        ...new Set(
          imports
            .filter(({ from, to }) => areaOf(from) === name && isBetweenAreas({ from, to }))
            .map(({ to }) => areaOf(to)!),
        ),
      ].sort(),
    ]),
  );
  const areas = names.map((name) => ({
    name,
    files: files.filter((file) => areaOf(file) === name),
    doors: [
      ...new Set(
        imports.filter(({ from, to }) => areaOf(to) === name && areaOf(from) !== name).map(({ to }) => to),
      ),
    ].sort(),
    imports: neighbours.get(name)!,
  }));
  const crossings = imports
    .filter(isBetweenAreas)
    .filter(({ from, to }) => !foundations.includes(areaOf(to)!) && !foundations.includes(areaOf(from)!));
  const circles = names.flatMap((one) =>
    names
      .filter((other) => one < other && reaches(neighbours, one, other) && reaches(neighbours, other, one))
      .map((other) => `${one} <> ${other}`),
  );
  return { areas, circles, crossings, imports };
}

/** `src/store/feedback` of `src/store/feedback/log.ts`; files of a layer itself belong to none. */
function areaOf(file: string): string | null {
  const layer = layersWithDoors.find((name) => file.startsWith(`${name}/`));
  const [area, ...rest] = layer === undefined ? [] : file.slice(layer.length + 1).split('/');
  return rest.length === 0 ? null : `${layer}/${area}`;
}

function isBetweenAreas({ from, to }: Import): boolean {
  const [one, other] = [areaOf(from), areaOf(to)];
  return one !== null && other !== null && one !== other && dirname(one) === dirname(other);
}

function reaches(neighbours: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const at of seen) for (const next of neighbours.get(at) ?? []) seen.add(next);
  return seen.has(to);
}

function importsOf(root: string, file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|[^:'"`\\])\/\/.*$/gm, '$1');
  const names = [...text.matchAll(/(?<!')(?:\bfrom|\bimport|\bimport\()\s*'(\.[^'\n]+)'/g)];
  const targets = names.map(([, name]) => normalize(join(dirname(file), name!)));
  return [...new Set(targets)].map((to) => ({ from: file, to }));
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || file.endsWith('-samples.ts');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url));
  const { areas, circles, crossings, imports } = readStructure(root);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const isAll = process.argv.includes('--doors');
  for (const { name, files, doors, imports: others } of areas) {
    const of = others.map((other) => other.slice(dirname(name).length + 1)).join(' ');
    say(
      `${name.padEnd(24)} ${files.length} files, ${doors.length} doors${of === '' ? '' : `, imports ${of}`}`,
    );
    if (isAll) for (const door of doors) say(`    ${door.slice(name.length + 1)}`);
  }
  say(`Circles: ${circles.length === 0 ? 'none' : circles.join(', ')}`);
  const inAreas = imports.filter(({ from, to }) => areaOf(from) !== null && areaOf(to) !== null);
  const across = inAreas.filter(({ from, to }) => areaOf(from) !== areaOf(to));
  say(
    `Imports between areas of one layer: ${crossings.length}; of ${inAreas.length} imports of areas ${across.length} cross a border`,
  );
}
