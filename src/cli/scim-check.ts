// soundings scim check: plays what Entra ID and Okta are documented to send against a running service, and says which
// answers a provider would stumble over. It makes users and groups with names of its own and takes them away again.

import { randomBytes } from 'node:crypto';
import { providerSequences } from '../scim/provider-sequences.ts';
import {
  captureFrom,
  fillRequest,
  judgeAnswer,
  namesUsedBy,
  type ProviderSequence,
  type SequenceStep,
} from '../scim/sequence.ts';
import { reasonOf } from './open-house.ts';
import { CommandError, type Terminal, table, visible } from './terminal.ts';

const answerPatienceMs = 30_000;

export interface CheckOptions {
  readonly url: string;
  readonly token?: string;
  readonly provider?: string;
  readonly json?: boolean;
}

interface StepResult {
  readonly step: string;
  readonly status: number | null;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly faults: readonly string[];
}

interface SequenceResult {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly steps: readonly StepResult[];
  /** What could not be taken away again. */
  readonly leftBehind: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Target {
  readonly base: URL;
  readonly token: string;
}

export async function checkService(terminal: Terminal, options: CheckOptions): Promise<void> {
  const target = { base: baseOf(options.url), token: tokenOf(terminal, options.token) };
  const wanted = chosenSequences(options.provider);
  const results: SequenceResult[] = [];
  for (const sequence of wanted) {
    if (options.json !== true) terminal.tell(`${sequence.provider}: ${sequence.name} ...`);
    results.push(await play(sequence, target));
  }
  const steps = results.flatMap((result) => result.steps);
  const failed = steps.filter(({ outcome }) => outcome !== 'passed').length;
  const left = results.flatMap(({ leftBehind }) => leftBehind);
  if (options.json === true) terminal.print(JSON.stringify({ passed: failed === 0, sequences: results }));
  else terminal.print(table(rowsOf(results)));
  for (const path of left) terminal.tell(`${visible(path)} could not be removed; please remove it.`);
  if (failed > 0) {
    const hint = '"soundings scim log --refused" shows how the service understood the requests.';
    throw new CommandError(`${failed} of ${steps.length} steps failed. ${hint}`);
  }
  terminal.tell(`All ${steps.length} steps passed.`);
}

function rowsOf(results: readonly SequenceResult[]): readonly (readonly string[])[] {
  const rows = results.flatMap(({ provider, name, steps }) =>
    steps.map(({ step, status, outcome, faults }) => [
      provider,
      name,
      step,
      status === null ? '-' : String(status),
      outcome,
      faults.join('; '),
    ]),
  );
  return [['PROVIDER', 'SEQUENCE', 'STEP', 'STATUS', 'OUTCOME', 'WHY'], ...rows];
}

async function play(sequence: ProviderSequence, target: Target): Promise<SequenceResult> {
  // Different every time, so that what an interrupted run left behind is not in the way.
  const variables = new Map([['run', randomBytes(5).toString('hex')]]);
  const steps: StepResult[] = [];
  for (const step of sequence.steps) steps.push(await playStep(step, target, variables));
  const { id, provider, name } = sequence;
  return { id, provider, name, steps, leftBehind: await clean(sequence, target, variables) };
}

async function playStep(
  step: SequenceStep,
  target: Target,
  variables: Map<string, string>,
): Promise<StepResult> {
  const missing = [...namesUsedBy(step)].filter((name) => !variables.has(name));
  if (missing.length > 0) {
    const why = `an earlier answer did not give ${missing.join(', ')}`;
    return { step: step.name, status: null, outcome: 'skipped', faults: [why] };
  }
  let answer: Answer;
  try {
    answer = await send(step.request, target, variables);
  } catch (error) {
    return { step: step.name, status: null, outcome: 'failed', faults: [reasonOf(error)] };
  }
  const faults = [...judgeAnswer(step, answer.status, answer.body, variables)];
  const captured = captureFrom(step, answer.body);
  if (captured === null && faults.length === 0) faults.push('the answer lacks what the next steps need');
  for (const [name, value] of captured ?? []) variables.set(name, value);
  const outcome = faults.length === 0 ? 'passed' : 'failed';
  return { step: step.name, status: answer.status, outcome, faults };
}

/** Takes away what the steps have made, whatever became of them; what is gone already is no matter. */
async function clean(
  { leftovers }: ProviderSequence,
  target: Target,
  variables: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const left: string[] = [];
  for (const path of leftovers) {
    const request = { method: 'DELETE' as const, path };
    const step = { name: '', request, status: [], claims: [] };
    // What was never captured was never made.
    if ([...namesUsedBy(step)].some((name) => !variables.has(name))) continue;
    const { target: address } = fillRequest(request, variables);
    try {
      const { status } = await send(request, target, variables);
      if (status !== 204 && status !== 404) left.push(address);
    } catch {
      left.push(address);
    }
  }
  return left;
}

async function send(
  request: SequenceStep['request'],
  { base, token }: Target,
  variables: ReadonlyMap<string, string>,
): Promise<Answer> {
  const { method, target, body, authorization, contentType } = fillRequest(request, variables);
  let answer: Response;
  try {
    answer = await fetch(`${base.href}${target}`, {
      method,
      headers: {
        accept: 'application/scim+json, application/json',
        authorization: authorization ?? `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A credential follows no redirect to another place.
      redirect: 'manual',
      signal: AbortSignal.timeout(answerPatienceMs),
    });
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    throw new Error(`${base.host} did not answer: ${reasonOf(cause ?? error)}`, { cause: error });
  }
  const text = await answer.text();
  if (text === '') return { status: answer.status, body: undefined };
  try {
    return { status: answer.status, body: JSON.parse(text) as unknown };
  } catch {
    throw new Error(`status ${answer.status} with a body that is not JSON`);
  }
}

function baseOf(text: string): URL {
  const url = URL.parse(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isWeb || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new CommandError(
      `--url must be the address that the provider gets, such as https://soundings.example/scim/v2, not "${text}".`,
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function tokenOf({ env }: Terminal, flag: string | undefined): string {
  const token = flag ?? env.SOUNDINGS_PROVISIONING_TOKEN;
  if (token !== undefined && token.trim() !== '') return token.trim();
  throw new CommandError(
    'The token is missing: give it with --token, or put it into SOUNDINGS_PROVISIONING_TOKEN.',
  );
}

function chosenSequences(provider: string | undefined): readonly ProviderSequence[] {
  if (provider === undefined) return providerSequences;
  const wanted = providerSequences.filter(
    (sequence) => sequence.provider.toLowerCase().split(' ')[0] === provider.toLowerCase(),
  );
  if (wanted.length > 0) return wanted;
  throw new CommandError(`--provider must be entra or okta, not "${provider}".`);
}
