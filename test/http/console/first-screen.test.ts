// The first look at the overview, which the server draws: it is whole without a script, holds what its reader may see and nothing of
// anybody else, and no text in it becomes HTML.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../../support/console-roles.ts';
import { sqlite } from '../../support/engines.ts';
import { acme, bolt, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';

const hostile = `</div><script>alert("1")</script><img src=x onerror='alert(1)'> & {{x}}`;
const hostileHtml =
  '&lt;/div&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt; &amp; {{x}}';

interface Account {
  readonly id: number;
  readonly name: string;
  readonly measures: readonly { readonly key: number; readonly name: string }[];
}

describe('the first look at a page of the console [D-781]', () => {
  let service: FeedbackService;
  let base: string;
  const people = new Map<number, Readonly<Record<VisitorKind, VisitorAside>>>();
  const accounts = (feedbackCatalogue.accounts as unknown as readonly Account[]).map((account) =>
    account.id === acme
      ? {
          ...account,
          measures: account.measures.map((measure, index) =>
            index === 0 ? { ...measure, name: hostile } : measure,
          ),
        }
      : account,
  );

  before(async () => {
    service = await startFeedback(sqlite, { catalogue: { accounts } });
    base = service.baseUrl.replace('127.0.0.1', 'localhost');
    for (const id of [acme, bolt]) people.set(id, await visitorsAside(service.databaseUrl, id, `of${id}`));
  });
  after(() => service?.stop());

  async function look(
    account: number,
    kind: VisitorKind,
    { path = '/console', language = 'en' } = {},
  ): Promise<{ readonly html: string; readonly drawn: string }> {
    const cookie = await people.get(account)![kind].newCookie();
    const answer = await fetch(base + path, { headers: { cookie, 'accept-language': language } });
    const html = await answer.text();
    assert.equal(answer.status, 200, html);
    return { html, drawn: /<div id="app">(.*)<\/div>\n<script type="application\/json"/s.exec(html)![1]! };
  }

  it('is whole without a script: title, who and where one is, and a row for each measure and project', async () => {
    const { drawn } = await look(acme, 'analyst');
    const { name, measures } = accounts.find(({ id }) => id === acme)!;
    for (const part of ['<h1 tabindex="-1">Overview</h1>', `of${acme}-analyst`, name, '<th scope="row">'])
      assert.ok(drawn.includes(part), part);
    for (const { key } of measures) assert.ok(drawn.includes(`href="/console/measures/${key}"`), String(key));
    assert.doesNotMatch(drawn, /Loading/);
  });

  it('is in the language that the script will speak', async () => {
    assert.match(
      (await look(acme, 'analyst', { language: 'de' })).drawn,
      /<h1 tabindex="-1">Überblick<\/h1>/,
    );
    assert.match(
      (await look(acme, 'analyst', { language: 'fr-CH' })).drawn,
      /<h1 tabindex="-1">Vue d’ensemble<\/h1>/,
    );
  });

  it('names stay texts, and neither style nor event stands in it', async () => {
    const { drawn } = await look(acme, 'admin');
    assert.ok(drawn.includes(hostileHtml));
    assert.doesNotMatch(drawn, /<(?:script|style|img)|<[^>]*\s(?:style|on\w+)=/);
    const open: string[] = [];
    for (const [, end, tag, isVoid] of drawn.matchAll(
      /<(\/?)((input|br)|\w+)(?:\s[\w-]+="[^"<>]*")*>/g,
    ) as Iterable<readonly (string | undefined)[]>) {
      if (isVoid !== undefined) continue;
      if (end === '') open.push(tag!);
      else assert.equal(open.pop(), tag);
    }
    assert.deepEqual(open, []);
    assert.equal(drawn.split('<').length, 1 + [...drawn.matchAll(/<\/?\w+(?:\s[\w-]+="[^"<>]*")*>/g)].length);
  });

  it('of many that are drawn at once each holds its own account and person alone', async () => {
    const kinds = ['viewer', 'analyst', 'editor', 'admin'] as const;
    const wanted = kinds.flatMap((kind) => [acme, bolt].map((account) => ({ kind, account })));
    await Promise.all(
      [...wanted, ...wanted].map(async ({ kind, account }) => {
        const { html } = await look(account, kind);
        assert.ok(html.includes(`of${account}-${kind}`), kind);
        assert.deepEqual([...new Set(html.match(/of400\d-\w+/g))], [`of${account}-${kind}`]);
      }),
    );
  });

  it('a page that somebody may not see, and one that its script draws, is empty', async () => {
    assert.equal((await look(acme, 'identity')).drawn, '');
    assert.equal((await look(acme, 'analyst', { path: '/console/me' })).drawn, '');
  });

  it('what the address asks for makes no other page of it', async () => {
    for (const query of [
      '?from=x&to=<b>',
      '?f=is,%22%3E%3Cb%3E,1&period=7d',
      '?compare=%25',
      `?${'a='.repeat(900)}`,
    ]) {
      const { drawn } = await look(acme, 'viewer', { path: `/console${query}` });
      assert.ok(drawn.includes('<h1 tabindex="-1">Overview</h1>'), query);
      assert.ok(!drawn.includes('<b>'), query);
    }
  });
});
