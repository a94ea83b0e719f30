// What callers see of a release, as data: both API documents, commands with their flags, error codes, settings, addresses
// of the console, catalogues. Later releases are held against it, for all of it is only added to.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { commandReference } from '../../src/cli/program.ts';
import { settings } from '../../src/config.ts';
import { consolePages } from '../../src/domain/console/page-paths.ts';
import { faultCodes } from '../../src/domain/fault-codes.ts';
import { codes } from '../../src/domain/problem.ts';
import { consoleDocumentDeclared } from './declared-operations.ts';
import { feedbackCatalogue } from './feedback-catalogue.ts';
import { invitedCatalogue } from './invited-catalogue.ts';
import type { Shape } from './shape.ts';
import { everythingCatalogue } from './store-of-everything.ts';
import { surveyPageCatalogue } from './survey-page-catalogue.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export function releaseFolder(release: string): string {
  return `${root}test/fixtures/releases/${release}/`;
}

export interface Published {
  readonly openapi: ApiDocument;
  readonly consoleOpenapi: ApiDocument;
  /** The words of each command, with its flags and arguments as its help names them. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  readonly codes: Readonly<Record<string, number>>;
  readonly faultCodes: readonly string[];
  readonly settings: readonly string[];
  readonly consoleAddresses: readonly string[];
  /** Files that `soundings apply` takes: YAML, or JSON. */
  readonly catalogues: readonly string[];
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, unknown>>;
}

export interface PublishedShapes {
  readonly commands: Readonly<Record<string, Shape>>;
  readonly messages: Readonly<Record<string, Shape>>;
  /** The first line of each file that the service writes. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

export function publishedNow(): Published {
  return {
    openapi: withoutProse(JSON.parse(readFileSync(`${root}openapi.json`, 'utf8'))) as ApiDocument,
    consoleOpenapi: withoutProse(consoleDocumentDeclared) as ApiDocument,
    commands: Object.fromEntries(commandReference().map(({ name, help }) => [name, wordsOf(help)])),
    codes: Object.fromEntries(Object.entries(codes).map(([code, { number }]) => [code, number])),
    faultCodes: Object.keys(faultCodes),
    settings: Object.values(settings).map(({ name }) => name),
    consoleAddresses: Object.values(consolePages).map(({ path }) => path),
    catalogues: [
      readFileSync(`${root}examples/demo.yaml`, 'utf8'),
      ...[feedbackCatalogue, invitedCatalogue, surveyPageCatalogue, everythingCatalogue].map((catalogue) =>
        JSON.stringify(catalogue),
      ),
    ],
  };
}

export function publishedBy(release: string): Published {
  const names = Object.keys(publishedNow());
  return Object.fromEntries(names.map((name) => [name, readKept(release, name)])) as unknown as Published;
}

export function shapesOfRelease(release: string): PublishedShapes {
  return readKept(release, 'shapes') as PublishedShapes;
}

function readKept(release: string, name: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(`${releaseFolder(release)}${name}.json.gz`)).toString());
}

/** `--flag` or `<argument>`, as the help of a command lists them. */
function wordsOf(help: string): readonly string[] {
  const lines = help.split('\n');
  const [usage = ''] = lines.filter((line) => line.startsWith('Usage:'));
  const flags = lines.flatMap((line) => line.match(/^ {2}(--[\w-]+(?: <[^>]+>| \[[^\]]+\])?)/)?.[1] ?? []);
  return [...(usage.match(/<[^>]+>|\[(?!options)[^\]]+\]/g) ?? []), ...flags];
}

/** Sentences and examples may become better. */
function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      isProse(name, member) ? [] : [[name, withoutProse(member)]],
    ),
  );
}

/** A member of an object that is called `description` has a schema, not a text. */
function isProse(name: string, member: unknown): boolean {
  if (name === 'example' || name === 'examples') return true;
  return (name === 'description' || name === 'summary' || name === 'title') && typeof member === 'string';
}
