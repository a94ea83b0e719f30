// What somebody does with a fresh installation, in an empty folder: the demo, the console by the link of the start, a survey, a page
// of data by the client, a backup, the service stopped, the backup restored. The same for the package, the single file and the image.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as ClientModule from '../../client/index.ts';
import { consoleCall, cookieSetBy } from './console.ts';
import { type Answer, exchange } from './exchange.ts';
import {
  type ApiClientCredentials,
  type Program,
  type ServiceProcess,
  soundings,
  startProcess,
  until,
} from './service.ts';
import { formText, tokenIn } from './survey-page.ts';

const project = 3223;
const survey = 'acme-badge-1';
const builtClient = fileURLToPath(new URL('../../dist/client/index.js', import.meta.url));
// Two seconds are promised; machines that run tests may be three times as slow.
const stopMsMax = 6_000;

/** Where nobody can write, as for the user of a service. */
export const withoutHome = { HOME: '/nonexistent' };

/** Gives how long the service took to stop. */
export async function walkInstallation(
  program: Program,
  {
    env = {},
    hasBackups = true,
    clientFile = builtClient,
    pathOf = (name) => join(program.folder, name),
  }: {
    env?: Readonly<Record<string, string>>;
    hasBackups?: boolean;
    /** The client that comes with the installation. */
    clientFile?: string;
    /** How the program names a file of its folder. */
    pathOf?: (name: string) => string;
  } = {},
): Promise<number> {
  const environment = { ...withoutHome, ...env };
  const service = await startProcess(environment, ['--demo'], program);
  const { demoClient, consoleUrl } = service.announcement as unknown as {
    demoClient: ApiClientCredentials;
    consoleUrl: string;
  };
  try {
    const { connect } = (await import(pathToFileURL(clientFile).href)) as typeof ClientModule;
    const entriesOf = (started: ServiceProcess): Promise<number> => pulled(connect, started, demoClient);
    return await useIt(service, program, environment, { entriesOf, consoleUrl, hasBackups, pathOf });
  } finally {
    // Only what failed has left it running.
    await service.kill();
  }
}

async function useIt(
  service: ServiceProcess,
  program: Program,
  environment: Readonly<Record<string, string>>,
  {
    entriesOf,
    consoleUrl,
    hasBackups,
    pathOf,
  }: {
    entriesOf: (started: ServiceProcess) => Promise<number>;
    consoleUrl: string;
    hasBackups: boolean;
    pathOf: (name: string) => string;
  },
): Promise<number> {
  // The console is at a name of its own, for its cookies.
  const { origin, hash } = new URL(consoleUrl);
  await seeFiles(service.baseUrl, origin);
  // Behind the @ stands the account that it leads to.
  await signIn(origin, hash.slice(1).split('@')[0]!);

  const before = await entriesOf(service);
  await answerSurvey(service);
  assert.equal(await entriesOf(service), before + 1);

  if (hasBackups) await command(program, ['backup', pathOf('copy.db')], environment);
  const beganAtMs = performance.now();
  assert.equal(await service.stop(), 0, service.output());
  const stoppedMs = performance.now() - beganAtMs;
  assert.ok(stoppedMs < stopMsMax, `${stoppedMs} ms`);
  await untilGone(Number(service.announcement.pid));
  if (!hasBackups) return stoppedMs;

  // What was there is moved away, as after an accident.
  const restored = {
    ...environment,
    DATABASE_URL: `sqlite:${pathOf('restored.db')}`,
  };
  await command(program, ['restore', pathOf('copy.db')], restored);
  await command(program, ['verify', pathOf('copy.db')], restored);
  const again = await startProcess(restored, [], program);
  assert.equal(await entriesOf(again), before + 1);
  assert.equal(await again.stop(), 0, again.output());
  return stoppedMs;
}

/** Everything that is read beside the program, wherever that is. */
async function seeFiles(baseUrl: string, consoleOrigin: string): Promise<void> {
  const get = async (path: string, pattern: RegExp): Promise<Answer> => {
    const answer = await exchange(`${path.startsWith('/console') ? consoleOrigin : baseUrl}${path}`, {
      headers: { 'sec-fetch-dest': 'document' },
    });
    assert.equal(answer.status, 200, `${path}: ${answer.text.slice(0, 200)}`);
    assert.match(answer.text, pattern, path);
    return answer;
  };
  await get('/openapi.json', /"openapi": "3\.1/);
  await get('/help', /<h1/);
  const signIn = await get('/console/sign-in', /\/console\/assets\//);
  const [script] = /\/console\/assets\/[\w.-]+\.js/.exec(signIn.text) ?? [];
  await get(script!, /\S{100}/);
  const reference = await get('/docs', /<script src="/);
  for (const [, path] of reference.text.matchAll(/<script src="([^"]+)"/g)) await get(path!, /Scalar/);
  const page = await get(`/s/${survey}`, /<form/);
  const [pageScript] = /\/s\/assets\/[\w.-]+\.js/.exec(page.text) ?? [];
  if (pageScript !== undefined) await get(pageScript, /\S{100}/);
}

async function signIn(baseUrl: string, code: string): Promise<void> {
  const answer = await consoleCall(baseUrl, 'POST', '/sign-in/link', { body: { code } });
  assert.equal(answer.status, 200, answer.text);
  const cookie = cookieSetBy(answer)!;
  const overview = await exchange(`${baseUrl}/console`, { headers: { cookie } });
  assert.equal(overview.status, 200, overview.text);
  const session = await consoleCall(baseUrl, 'GET', '/session', { cookie });
  assert.equal(session.status, 200, session.text);
}

async function answerSurvey({ baseUrl }: ServiceProcess): Promise<void> {
  const page = await exchange(`${baseUrl}/s/${survey}`, {});
  const sent = await exchange(`${baseUrl}/s/${survey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: formText({ token: tokenIn(page.text), 'q.Q-STARS': '4' }),
  });
  assert.equal(sent.status, 303, sent.text);
}

/** How many responses the project has, by one page that the client pulls. */
async function pulled(
  connect: typeof ClientModule.connect,
  { baseUrl }: ServiceProcess,
  client: ApiClientCredentials,
): Promise<number> {
  const range = { from: '2020-01-01', to: '2099-12-31', limit: 10 };
  for await (const { items, total } of connect({ url: baseUrl, ...client })
    .project(project)
    .data(range)
    .pages()) {
    assert.equal(items.length, 10);
    return total!;
  }
  return assert.fail('There is no page.');
}

async function command(
  program: Program,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  fine: readonly number[] = [0],
): Promise<string> {
  const { code, stdout, stderr } = await soundings(args, env, '', program);
  assert.ok(code !== null && fine.includes(code), `${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

export function untilGone(pid: number): Promise<boolean> {
  const isThere = async (): Promise<boolean> => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  return until(isThere, (isLeft) => !isLeft);
}
