// Plays what identity providers and synchronising programs send against a running service, and
// says which answers they would stumble over. It makes users and groups with names of its own and takes them away again.

import { randomBytes } from 'node:crypto';
import { reasonOf } from '../../domain/reason.ts';
import { providerSequences } from '../../scim/conformance/provider-sequences.ts';
import {
  captureFrom,
  fillRequest,
  judgeAnswer,
  namesUsedBy,
  type ProviderSequence,
  type SequenceStep,
} from '../../scim/conformance/sequence.ts';
import { CommandError, type Terminal } from '../frame/terminal.ts';
import type { Call } from '../frame/verb.ts';

const answerPatienceMs = 30_000;
const longestWaitSeconds = 60;
const attemptsMax = 5;

interface StepResult {
  readonly step: string;
  /** How often it was played. */
  readonly times: number;
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

interface WantedCheck {
  readonly url: string;
  readonly token: string | undefined;
  readonly provider: string | undefined;
}

/** How many steps were played, how many of them failed, and what became of each sequence. */
export async function checkService({ terminal, input, isJson }: Call<WantedCheck>) {
  const target = { base: baseOf(input.url), token: tokenOf(terminal, input.token) };
  const sequences: SequenceResult[] = [];
  for (const sequence of chosenSequences(input.provider)) {
    if (!isJson) terminal.tell(`${sequence.provider}: ${sequence.name} ...`);
    sequences.push(await play(sequence, target, sequences.length === 0));
  }
  const steps = sequences.flatMap((result) => result.steps);
  const failed = steps.filter(({ outcome }) => outcome !== 'passed').length;
  return { steps: steps.length, failed, sequences };
}

async function play(sequence: ProviderSequence, target: Target, isFirst: boolean): Promise<SequenceResult> {
  // Different every time, so that what an interrupted run left behind is not in the way.
  const variables = new Map([['run', randomBytes(5).toString('hex')]]);
  const steps: StepResult[] = [];
  const gone = new Set<string>();
  for (const step of sequence.steps) {
    const result = await playStep(step, target, variables, gone);
    if (isFirst && steps.length === 0) stopIfHopeless(result, target);
    const last = steps.at(-1);
    if (last?.step === result.step) steps[steps.length - 1] = joined(last, result);
    else steps.push(result);
  }
  const { id, provider, name } = sequence;
  return { id, provider, name, steps, leftBehind: await clean(sequence, target, variables, gone) };
}

/** A wrong token or a wrong address fails everything alike, so that one sentence says more than a table. */
function stopIfHopeless({ outcome, status }: StepResult, { base }: Target): void {
  if (outcome === 'passed') return;
  if (status === 401 || status === 403) {
    throw new CommandError(
      `${base.href} does not accept the token (${status}). Look at "soundings provisioning-token list", or make a new one.`,
    );
  }
  if (status === 404) {
    throw new CommandError(
      `There are no users at ${base.href}/Users (404). --url is the address that the provider gets, such as https://soundings.example/scim/v2.`,
    );
  }
}

/** Of several that were played under one name, the first that did not pass is told. */
function joined(all: StepResult, one: StepResult): StepResult {
  const told = all.outcome === 'passed' ? one : all;
  return { ...told, times: all.times + one.times };
}

async function playStep(
  step: SequenceStep,
  target: Target,
  variables: Map<string, string>,
  gone: Set<string>,
): Promise<StepResult> {
  const missing = [...namesUsedBy(step)].filter((name) => !variables.has(name));
  if (missing.length > 0) {
    const why = `an earlier answer did not give ${missing.join(', ')}`;
    return { step: step.name, times: 1, status: null, outcome: 'skipped', faults: [why] };
  }
  let answer: Answer;
  try {
    answer = await send(step.request, target, variables);
  } catch (error) {
    return { step: step.name, times: 1, status: null, outcome: 'failed', faults: [reasonOf(error)] };
  }
  if (step.request.method === 'DELETE' && answer.status === 204)
    gone.add(fillRequest(step.request, variables).target);
  const faults = [...judgeAnswer(step, answer.status, answer.body, variables)];
  const captured = captureFrom(step, answer.body);
  if (captured === null && faults.length === 0) faults.push('the answer lacks what the next steps need');
  for (const [name, value] of captured ?? []) variables.set(name, value);
  const outcome = faults.length === 0 ? 'passed' : 'failed';
  return { step: step.name, times: 1, status: answer.status, outcome, faults };
}

/** Takes away what the steps have made, whatever became of them; what is gone already is no matter. */
async function clean(
  { leftovers }: ProviderSequence,
  target: Target,
  variables: ReadonlyMap<string, string>,
  gone: ReadonlySet<string>,
): Promise<readonly string[]> {
  const left: string[] = [];
  for (const path of leftovers) {
    const request = { method: 'DELETE' as const, path };
    const step = { name: '', request, status: [], claims: [] };
    // What was never captured was never made.
    if ([...namesUsedBy(step)].some((name) => !variables.has(name))) continue;
    const { target: address } = fillRequest(request, variables);
    if (gone.has(address)) continue;
    try {
      const { status } = await send(request, target, variables);
      if (status !== 204 && status !== 404) left.push(address);
    } catch {
      left.push(address);
    }
  }
  return left;
}

/** Who is told to come back later does, as providers do. */
async function send(
  request: SequenceStep['request'],
  target: Target,
  variables: ReadonlyMap<string, string>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const { retryAfterSeconds, ...answer } = await sendOnce(request, target, variables);
    const isLater = answer.status === 429 && retryAfterSeconds <= longestWaitSeconds;
    if (!isLater || attempt === attemptsMax) return answer;
    await new Promise((resume) => setTimeout(resume, retryAfterSeconds * 1_000));
  }
}

async function sendOnce(
  request: SequenceStep['request'],
  { base, token }: Target,
  variables: ReadonlyMap<string, string>,
): Promise<Answer & { readonly retryAfterSeconds: number }> {
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
  const retryAfterSeconds = Number(answer.headers.get('retry-after') ?? '1');
  if (text === '') return { status: answer.status, body: undefined, retryAfterSeconds };
  try {
    return { status: answer.status, body: JSON.parse(text) as unknown, retryAfterSeconds };
  } catch {
    if (answer.status === 401 || answer.status === 404)
      return { status: answer.status, body: undefined, retryAfterSeconds };
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

// The first word of its name is enough to name a provider.
const shortName = ({ provider }: ProviderSequence): string => provider.toLowerCase().split(' ')[0] ?? '';
const providerNames = [...new Set(providerSequences.map(shortName))];

function chosenSequences(provider: string | undefined): readonly ProviderSequence[] {
  if (provider === undefined) return providerSequences;
  const wanted = providerSequences.filter((sequence) => shortName(sequence) === provider.toLowerCase());
  if (wanted.length > 0) return wanted;
  throw new CommandError(`--provider must be one of ${providerNames.join(', ')}, not "${provider}".`);
}
