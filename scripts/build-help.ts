// Builds the help: "node scripts/build-help.ts HASH" makes the pages of docs/ into files of dist/help, which the service hands out as
// they are (D-670). scripts/install.js runs it when something that they are made from has changed.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escaped } from '../src/domain/pages/html.ts';
import { type BuiltFile, bundle, keep, smaller, textFile } from './browser-files.ts';
import { consolePlaces, exampleFiles, type HelpPage, helpAddress, helpGroups } from './help-contents.ts';
import { type RenderedPage, renderMarkdown, type Site } from './help-markdown.ts';
import { type HelpAssets, helpPage, nothingHere, type PlacedPage, startPage } from './help-page.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const [hash] = process.argv.slice(2);
if (hash === undefined)
  throw new Error('The hash of the sources is missing: run scripts/install.js instead.');

// Half of all text is for developers, and few look for it here: of each section its beginning is enough.
const developersTextMax = 300;

interface SourcePage extends PlacedPage {
  readonly file: string;
  readonly hasNamedRows: boolean;
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const ledger = new Set(
  [...read('docs/decisions.md').matchAll(/^\| (D-\d+b?) \|/gm)].map(([, number]) => number),
);
const images = new Map(
  readdirSync(join(root, 'docs', 'images'))
    .filter((name) => name.endsWith('.png'))
    .map((name) => [`docs/images/${name}`, imageFile(`docs/images/${name}`)]),
);
const sources = sourcePages();
const addresses = new Map([
  ...sources.map(({ file, address }) => [file, address] as const),
  ...exampleFiles.map(({ file }) => [file, helpAddress(file)] as const),
  ['README.md', '/help'] as const,
]);
const usedImages = new Set<BuiltFile>();
const site: Site = {
  root,
  addressOf: (file) => addresses.get(file) ?? null,
  titleOf: (file) => sources.find((page) => page.file === file)?.title ?? null,
  hasDecision: (number) => ledger.has(number),
  warn: (words) => console.error(words),
  imageOf: (file) => {
    const image = images.get(file);
    if (image === undefined) return null;
    usedImages.add(image.built);
    return { ...image, url: `/help/assets/${image.built.fileName}` };
  },
};

const rendered = sources.map((page) => ({
  page,
  ...renderMarkdown({ file: page.file, text: read(page.file), hasNamedRows: page.hasNamedRows }, site),
}));
const placed: readonly PlacedPage[] = [...sources, exampleList()];
const [script, ...others] = await bundle(join(root, 'help'), 'main.ts', 'es');
const [firstPaint] = await bundle(join(root, 'console'), 'first-paint.ts', 'iife');
const style = textFile('help.css', smaller(`${read('console/tokens.css')}\n${read('help/style.css')}`));
const icon = textFile('icon.svg', read('console/icon.svg'));
const index = textFile('index.json', searchIndex(rendered));
const assets: HelpAssets = {
  style: style.fileName,
  script: script!.fileName,
  firstPaint: firstPaint!.fileName,
  icon: icon.fileName,
  index: index.fileName,
};

const files: BuiltFile[] = [script!, ...others, firstPaint!, style, icon, index, ...usedImages];
const pages: Record<string, string> = {};
const notFound = pageFile('not-found', {
  address: '',
  title: 'There is no such page',
  description: '',
  group: null,
  html: nothingHere,
  headings: [],
  kind: 'nothing',
});
addPage('', {
  title: 'Help',
  description: 'The help of this installation of Soundings.',
  group: null,
  html: startPage(helpGroups),
  headings: [],
  kind: 'start',
});
for (const { page, title, description, html, headings } of rendered)
  addPage(page.address, { title, description, group: page.group, html, headings, kind: 'page' });
addExamples();
keep({ target: join(root, 'dist', 'help'), hash }, files, {
  pages,
  notFound,
  places: consolePlaces,
});

type Parts = Omit<Parameters<typeof helpPage>[0], 'address'>;

function addPage(address: string, parts: Parts): void {
  const name = address.replace('/help/', '');
  pages[name] = pageFile(name === '' ? 'start' : name, { address, ...parts });
}

/** The name of the file that the page was put into. */
function pageFile(name: string, parts: Parameters<typeof helpPage>[0]): string {
  const file = textFile(`${name.replaceAll(/[/.]/g, '-')}.html`, helpPage(parts, placed, assets));
  files.push(file);
  return file.fileName;
}

/** Every page of docs/: those of the groups in their order, and behind them those that nobody has put anywhere yet. */
function sourcePages(): readonly SourcePage[] {
  const listed = helpGroups.flatMap(({ title, pages, isForDevelopers = false }) => {
    const placedIn = (page: HelpPage, isChild: boolean): SourcePage => ({
      file: page.file,
      address: helpAddress(page.file),
      title: page.title,
      group: title,
      isForDevelopers,
      isChild,
      isListed: true,
      hasNamedRows: page.hasNamedRows ?? false,
    });
    return pages.flatMap((page) => [
      placedIn(page, false),
      ...(page.pages ?? []).map((child) => placedIn(child, true)),
    ]);
  });
  const known = new Set(listed.map(({ file }) => file));
  const lost = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md') && !known.has(file))
    .toSorted()
    .map((file) => ({
      file,
      address: helpAddress(file),
      title: /^# (.*)$/m.exec(read(file))?.[1] ?? basename(file, '.md'),
      group: 'Reference',
      isForDevelopers: false,
      isChild: false,
      isListed: true,
      hasNamedRows: false,
    }));
  const reference = listed.findLastIndex(({ group }) => group === 'Reference');
  return listed.toSpliced(reference + 1, 0, ...lost).filter(({ file }) => existsSync(join(root, file)));
}

function exampleList(): PlacedPage {
  return {
    address: '/help/examples',
    title: 'Examples',
    group: 'Reference',
    isForDevelopers: false,
    isChild: false,
    isListed: false,
  };
}

/** Files that pages speak of, each to be read, copied or kept. */
function addExamples(): void {
  const items = exampleFiles.map(
    ({ file, about }) =>
      `<li><a href="${helpAddress(file)}"><code>${file}</code></a><br>${escaped(about)}</li>`,
  );
  addPage('/help/examples', {
    title: 'Examples',
    description: 'Files to begin with.',
    group: 'Reference',
    html: `<h1>Files to begin with</h1>\n<ul class="files">\n${items.join('\n')}\n</ul>\n`,
    headings: [],
    kind: 'page',
  });
  for (const { file, about } of exampleFiles) {
    const text = read(file);
    const name = posix.basename(file);
    const kept = textFile(name, text);
    files.push(kept);
    addPage(helpAddress(file), {
      title: name,
      description: about,
      group: 'Reference',
      html: `<h1>${name}</h1>
<p>${escaped(about)} <a href="/help/assets/${kept.fileName}" download="${name}">Keep the file</a></p>
<div class="code"><pre><code>${escaped(text)}</code></pre></div>
`,
      headings: [],
      kind: 'page',
    });
  }
}

/** Pages, and of each the sections that can be found: what they are called, where they are, what they say. */
function searchIndex(all: readonly (RenderedPage & { readonly page: SourcePage })[]): string {
  return JSON.stringify({
    pages: all.map(({ page, title }) => [page.address, title, page.group, page.isForDevelopers ? 1 : 0]),
    sections: all.flatMap(({ page, sections }, number) =>
      sections.map(({ id, heading, text }) => [
        number,
        id,
        heading,
        page.isForDevelopers ? text.slice(0, developersTextMax) : text,
      ]),
    ),
  });
}

/** With its width and height, which stand at a fixed place in a PNG. */
function imageFile(file: string): {
  readonly built: BuiltFile;
  readonly width: number;
  readonly height: number;
} {
  const bytes = readFileSync(join(root, file));
  const built = textFile(posix.basename(file), bytes);
  return { built, width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
