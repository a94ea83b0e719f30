// The texts that are made from the code and reviewed: the API document, the list of endpoints, the error catalogue, the
// settings and the commands.

import { readFileSync } from 'node:fs';
import pino from 'pino';
import { loadDemo } from '../src/cli/demo/demo.ts';
import { prepareStore } from '../src/cli/frame/open-context.ts';
import { commandReference } from '../src/cli/program.ts';
import { readConfig, type Setting, settings } from '../src/config.ts';
import { faultCodes } from '../src/domain/fault-codes.ts';
import { codes } from '../src/domain/problem.ts';
import { buildApp, openServices } from '../src/http/app.ts';
import { openApiDocument } from '../src/http/server/document.ts';
import { statusOf } from '../src/http/server/errors.ts';
import { loadCompiler } from '../src/http/server/input.ts';
import type { DeclaredEndpoint } from '../src/http/server/route.ts';
import { openDb } from '../src/store/open-db.ts';
import { endpointsPage } from './endpoints-page.ts';
import { recordExamples } from './example-answers.ts';

const exampleMs = Date.UTC(2026, 0, 15, 12);
const packageFile = new URL('../package.json', import.meta.url);

export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const { document, endpoints } = await served();
  return new Map([
    ['openapi.json', document],
    ['docs/endpoints.md', await endpointsPage(endpoints)],
    ['docs/errors.md', errorsPage()],
    ['docs/settings.md', settingsPage()],
    ['docs/commands.md', commandsPage()],
  ]);
}

interface Served {
  readonly document: string;
  readonly endpoints: readonly DeclaredEndpoint[];
}

/** The service as it starts by default: its API document, and everything that it answers. */
async function served(): Promise<Served> {
  // The examples name the address that the service has by default, and are many calls at once.
  const databaseUrl = 'sqlite::memory:';
  const env = {
    DATABASE_URL: databaseUrl,
    SOUNDINGS_PUBLIC_URL: 'http://127.0.0.1:8080',
    SOUNDINGS_THROTTLE: 'off',
    // Nor may the examples tell of a machine that had other work.
    SOUNDINGS_WORK_LIMIT_MS: '120000',
  };
  const reading = readConfig({ flags: {}, env, file: {}, readFile: () => '' });
  if (!('config' in reading)) throw new Error('The defaults are not valid.');
  const db = await openDb(databaseUrl, { timeoutMs: 30_000, poolSize: 1 });
  const quiet = { env: {}, isInteractive: false, isWatched: false, print: () => {}, tell: () => {} };
  let made = 0;
  const next = (): number => {
    made += 1;
    return made;
  };
  const context = {
    config: reading.config,
    db,
    standby: null,
    now: () => exampleMs,
    elapsedMs: () => 1,
    newId: () => `0199c8f4-7d3a-7c11-9a52-${String(next()).padStart(12, '0')}`,
    newSecret: () => Buffer.alloc(32, next()).toString('base64url'),
    log: pino({ level: 'silent' }),
  };
  try {
    await prepareStore(reading.config, db, quiet);
    const demoClient = await loadDemo(context, quiet);
    await loadCompiler();
    const app = buildApp(openServices(context));
    const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
    const ofInterface = app.endpoints.filter(({ area }) => area !== 'console');
    const examples = await recordExamples(app, ofInterface, demoClient!);
    const document = `${JSON.stringify(openApiDocument(ofInterface, version, examples), null, 2)}\n`;
    return { document, endpoints: app.endpoints };
  } finally {
    await db.close();
  }
}

function errorsPage(): string {
  const rows = Object.entries(codes).map(
    ([code, { number, condition, meaning }]) =>
      `| \`${code}\` | ${number} | ${statusOf[condition]} | ${meaning} |`,
  );
  const faults = Object.entries(faultCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  return `# Error codes

Generated from the code by \`npm run openapi\`. A code never changes its meaning or its number (D-21). The bodies of the
measures, token, user and ingestion endpoints carry the code as \`errorCode\`; those of the project list and project
definition carry the number.

| code | number | HTTP status | meaning |
|---|---|---|---|
${rows.join('\n')}

## Codes of single faults

Each element of \`detailedErrors\` describes one fault: the \`field\`, a \`code\` and a \`message\`. If a filter, a patch or a bulk
request has only one fault, its code is that of the whole error, from the table above.

| code | meaning |
|---|---|
${faults.join('\n')}
`;
}

function settingsPage(): string {
  const rows = (Object.values(settings) as Setting[]).map(({ name, fallback, why, secret }) => {
    const shown = fallback === '' ? 'none' : `\`${fallback}\``;
    return `| \`${name}\` | ${shown} | ${why}${secret === true ? ` The value can be read from the file named by \`${name}_FILE\`.` : ''} |`;
  });
  return `# Settings

Generated from the code by \`npm run openapi\`. Flags take precedence over the environment, and the environment over the
file given with \`--config\` (YAML or JSON, with these names as keys). If there is an unknown \`SOUNDINGS_\` name or a bad
value, the service does not start and lists every fault at once.

| name | default | what it does |
|---|---|---|
${rows.join('\n')}
`;
}

function commandsPage(): string {
  const sections = commandReference().map(
    ({ name, help }) => `## ${name}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`,
  );
  return `# Commands

Generated from the code by \`npm run openapi\`. In a clone, run \`npx soundings VERB\`.

${sections.join('\n')}`;
}
