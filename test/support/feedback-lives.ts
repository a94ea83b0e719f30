// Lives of accounts on both engines at once: each is made at random, lived through over HTTP, and held against its
// model. Shared by npm test and the long tests, which live more often.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { engines } from './engines.ts';
import type { Answer } from './exchange.ts';
import { brokenBodies } from './feedback-arbitraries.ts';
import {
  expectedPage,
  pathOf,
  type Scenario,
  type ScenarioSource,
  someScenario,
} from './feedback-scenario.ts';
import { type FeedbackService, startFeedback } from './feedback-service.ts';

export class FeedbackLives {
  readonly #services: readonly FeedbackService[];
  #lastAccount = 1_000;

  private constructor(services: readonly FeedbackService[]) {
    this.#services = services;
  }

  /** One clock and one public address for both, so that no answer depends on which of them gave it. */
  static async start(): Promise<FeedbackLives> {
    const options = {
      catalogue: { accounts: [{ id: 1, name: 'First' }] },
      env: { SOUNDINGS_PUBLIC_URL: 'https://feedback.example' },
      nowMs: Date.now(),
    };
    return new FeedbackLives(await Promise.all(engines.map((engine) => startFeedback(engine, options))));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.stop()));
  }

  /** So many lives; a failure is made small and told with its seed. */
  async live(runs: number): Promise<void> {
    const property = fc.asyncProperty(someScenario, (scenario) => this.#liveOnce(scenario));
    await fc.assert(property, { numRuns: runs });
  }

  async #liveOnce(made: Scenario): Promise<void> {
    const account = await this.open(made);
    const { sources, external } = account.scenario;
    // The order of arrival is that of one source; between sources there is none.
    await Promise.all(
      sources.map(async ({ bodies }) => {
        for (const body of bodies) {
          const { status, text } = await account.post(body);
          assert.equal(status, 200, text);
        }
      }),
    );
    await Promise.all(this.#services.map((service) => service.addExternal(account.id, external)));
    // A retry of what is kept changes nothing of what follows.
    for (const { bodies } of sources) for (const body of bodies.slice(0, 2)) await account.post(body);
    for (const source of sources) {
      for (const query of source.queries) {
        const { status, body, text } = await account.get(pathOf(source, query));
        assert.equal(status, 200, text);
        assert.deepEqual(body, expectedPage(source, query, external));
      }
      for (const path of definitionsOf(source)) assert.equal((await account.get(path)).status, 200);
      await this.#breakOne(account, source);
    }
  }

  /** Some ways of breaking a body that was taken: each is refused on both engines, and the fault is named (D-42). */
  async #breakOne({ id, post }: OpenedAccount, { versions, bodies }: ScenarioSource): Promise<void> {
    const [first] = bodies;
    if (first === undefined) return;
    const { responseId: _taken, ...valid } = first;
    const version = versions.find(({ id: survey }) => survey === first.surveyDefinitionId)!;
    const broken = brokenBodies(version, valid, this.#services[0]!.nowMs);
    for (let pick = id % 7; pick < broken.length; pick += Math.ceil(broken.length / 3)) {
      const { body, field, code } = broken[pick]!;
      const answer = await post(body as object);
      assert.equal(answer.status, 400, answer.text);
      const faults = answer.body.detailedErrors as { field: string; code: string }[];
      assert.ok(
        faults.some((fault) => fault.field === field && fault.code === code),
        `${field} ${code} is not among ${JSON.stringify(faults)}`,
      );
    }
  }

  /** A new account with the catalogue of a scenario, on both engines; what is asked of both is answered alike. */
  async open(made: Scenario): Promise<OpenedAccount> {
    const id = ++this.#lastAccount;
    const scenario = ofAccount(made, id);
    const tokens = await Promise.all(
      this.#services.map(async (service) => {
        await service.apply(scenario.catalogue);
        return service.token(id);
      }),
    );
    const both = async (
      ask: (service: FeedbackService, token: string) => Promise<Answer>,
    ): Promise<Answer> => {
      const answers = await Promise.all(
        this.#services.map((service, engine) => ask(service, tokens[engine]!)),
      );
      const [first, second] = answers.map(({ status, headers, text }) => ({
        status,
        link: headers.link,
        text,
      }));
      assert.deepEqual(first, second, 'The engines differ.');
      return answers[0]!;
    };
    return {
      id,
      scenario,
      post: (body) => both((service, token) => service.post(body, token)),
      get: (path) => both((service, token) => service.get(path, token)),
    };
  }
}

export interface OpenedAccount {
  readonly id: number;
  readonly scenario: Scenario;
  post(body: object | string): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

/** Survey ids are unique in a store, so every life has its own. */
function ofAccount(scenario: Scenario, accountId: number): Scenario {
  const text = JSON.stringify(scenario).replaceAll('survey-of-life', `survey-of-${accountId}`);
  const { catalogue, ...rest } = JSON.parse(text) as Scenario;
  return { ...rest, catalogue: { accounts: [{ ...catalogue.accounts[0]!, id: accountId }] } };
}

function definitionsOf({ kind, key }: ScenarioSource): string[] {
  const base = `/v1/${kind}s/${key}/definition`;
  return kind === 'project' ? [base] : [base, `${base}?excludeAnswers=true`, `${base}?excludeQuestions=true`];
}
