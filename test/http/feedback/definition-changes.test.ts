// Definitions change while responses come in and pages are read, on a replica that still remembers the old ones. The
// clock stands still here, so what a replica remembers never grows old by itself.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { acme } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';

const range = 'from=2025-01-01&to=2025-12-31';
const largest = Number.MAX_SAFE_INTEGER;

interface Version {
  readonly version: number;
  readonly current?: boolean;
  readonly closed?: boolean;
  readonly required?: boolean;
}

function catalogueOf(...versions: readonly Version[]) {
  const surveys = versions.map(({ version, required = false, ...rest }) => ({
    id: `tour-${version}`,
    modelInstanceId: `model ${version}`,
    version,
    questions: [{ id: `Q-${version}`, name: `Question ${version}`, responseType: 'TEXT', required }],
    ...rest,
  }));
  const named = (prefix: string) => surveys.map((survey) => ({ ...survey, id: `${prefix}${survey.id}` }));
  return {
    accounts: [
      {
        id: acme,
        name: 'Acme',
        measures: [{ key: 1, name: 'Tour', surveys }],
        projects: [{ id: largest, name: 'Tours', surveys: named('p-') }],
      },
    ],
  };
}

for (const engine of engines) {
  describe(`definitions that change on ${engine.name}`, () => {
    let first: FeedbackService;
    let other: FeedbackService;
    let token: string;
    let nextId = 1;

    before(async () => {
      const catalogue = catalogueOf({ version: 1 });
      first = await startFeedback(engine, { catalogue });
      other = await startFeedback(engine, { catalogue, databaseUrl: first.databaseUrl, nowMs: first.nowMs });
      token = await first.token(acme);
    });
    after(async () => {
      await other?.stop();
      await first?.stop();
    });

    const post = (surveyDefinitionId: string, responses: object) =>
      first.post(
        {
          surveyDefinitionId,
          responseId: `d-${nextId++}`,
          submissionTimestamp: '2025-05-05T05:05:05Z',
          responses,
        },
        token,
      );
    const faultsOf = ({ body }: { body: Readonly<Record<string, unknown>> }) =>
      ((body.detailedErrors ?? []) as { code: string }[]).map(({ code }) => code);

    it('a version that was applied a moment ago takes responses, and every replica shows them at once [D-13] [D-30]', async () => {
      for (const [prefix, path] of [
        ['', '/v1/measures/1/data'],
        ['p-', `/v1/projects/${largest}/data`],
      ] as const) {
        assert.equal((await post(`${prefix}tour-1`, { 'Q-1': ['old'] })).status, 200);
        assert.equal((await first.get(`${path}?${range}`, token)).body.total, 1);
      }
      await other.apply(catalogueOf({ version: 1, current: false }, { version: 2, current: true }));
      for (const [prefix, path] of [
        ['', '/v1/measures/1/data'],
        ['p-', `/v1/projects/${largest}/data`],
      ] as const) {
        assert.equal((await post(`${prefix}tour-2`, { 'Q-2': ['new'] })).status, 200);
        const { status, body, text } = await first.get(`${path}?${range}`, token);
        assert.equal(status, 200, text);
        const items = body.items as {
          modelInstanceId: string;
          responses: { id: string; answers: string[] }[];
        }[];
        assert.deepEqual(
          items.map(({ modelInstanceId, responses: [row] }) => [modelInstanceId, row?.id, row?.answers]),
          [
            ['model 1', 'Q-1', ['old']],
            ['model 2', 'Q-2', ['new']],
          ],
        );
      }
    });

    it('a response that was judged by a definition of before is judged again by the one of now [D-30] [D-46]', async () => {
      assert.equal((await post('tour-2', {})).status, 200);
      const [one, two] = [
        { version: 1, current: false },
        { version: 2, current: false },
      ];
      await other.apply(catalogueOf(one, { ...two, closed: true }, { version: 3, current: true }));
      assert.deepEqual(faultsOf(await post('tour-2', {})), ['SURVEY_CLOSED']);
      const { body } = await first.get(`/v1/measures/1/data?${range}`, token);
      assert.equal(body.total, 3);
    });

    it('a version without responses may still change, and who comes after is judged by the change [D-47]', async () => {
      const older = [1, 2, 3].map((version) => ({ version, current: false, closed: version === 2 }));
      await other.apply(catalogueOf(...older, { version: 4, current: true }));
      // Remembered by the first replica, and not kept.
      const preview = await first.post({ surveyDefinitionId: 'tour-4', isTest: true }, token);
      assert.equal(preview.status, 200);
      await other.apply(catalogueOf(...older, { version: 4, current: true, required: true }));
      assert.deepEqual(faultsOf(await post('tour-4', {})), ['REQUIRED']);
      assert.equal((await post('tour-4', { 'Q-4': ['x'] })).status, 200);
    });

    it('a survey that was made private takes no response without a token any more, and one whose origins changed none from pages of others, on a replica that remembers it as it was [D-12] [D-232]', async () => {
      const openTo = (access: object) => {
        const surveyOf = (id: string) => ({
          id,
          modelInstanceId: id,
          questions: [{ id: 'Q', name: 'Q', responseType: 'TEXT' }],
          public: true,
          ...access,
        });
        const measures = Array.from({ length: 12 }, (_, index) => ({
          key: 900 + index,
          name: `Open ${index}`,
          surveys: [surveyOf(`open-${index}`)],
        }));
        return { accounts: [{ id: acme, name: 'Acme', measures }] };
      };
      const send = async (sender: string | null, origin: string): Promise<string[]> => {
        const answers = await Promise.all(
          Array.from({ length: 240 }, (_, index) => {
            const surveyDefinitionId = `open-${(index * 7) % 12}`;
            const submissionTimestamp = '2025-06-06T06:06:06Z';
            return first.post({ surveyDefinitionId, submissionTimestamp }, sender, { origin });
          }),
        );
        return [...new Set(answers.map(({ status, body }) => `${status} ${body.errorCode ?? ''}`))];
      };
      const total = async (): Promise<number> => {
        const totals = Array.from({ length: 12 }, async (_, index) => {
          const { body } = await other.get(`/v1/measures/${900 + index}/data?${range}`, token);
          return Number(body.total);
        });
        return (await Promise.all(totals)).reduce((sum, one) => sum + one, 0);
      };
      await first.apply(openTo({}));
      assert.deepEqual(await send(null, 'https://a.example'), ['200 ']);
      await other.apply(openTo({ origins: ['https://b.example'] }));
      assert.deepEqual(await send(null, 'https://a.example'), ['403 ORIGIN_NOT_ALLOWED']);
      assert.deepEqual(await send(null, 'https://b.example'), ['200 ']);
      await other.apply(openTo({ public: false }));
      assert.deepEqual(await send(null, 'https://b.example'), ['401 CREDENTIALS_REQUIRED']);
      assert.equal(await total(), 480);
      assert.deepEqual(await send(token, 'https://b.example'), ['200 ']);
      assert.equal(await total(), 720);
    });
  });
}
