// What a catalogue says for the page of a survey: every fault with its line, what may be added to a version that has
// responses and what may not, and that nothing is lost on the way through the store.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { exchange } from '../support/exchange.ts';
import { type Mounted, mountedAccountId, startMounted } from '../support/mounted.ts';
import { commandHere, setUp, soundingsOk, tokenFor } from '../support/service.ts';

// What follows #! must be said of its line, and nothing of any other line.
const faulty = `
id: ${mountedAccountId}
name: Acme
measures:
  - key: 10
    name: Web
    surveys:
      - id: faulty-1
        title: "two\\nlines"                                  #! title must be a text of 1 to 200 characters in one line
        language: klingon                                     #! language must be one of en, de
        latents:
          - id: L
            name: Satisfaction
            type: SATISFACTION
            questions:
              - id: Q-1
                name: One
                scale: {min: 1, max: 5, labels: {min: bad}}   #! max is missing
                dontKnow: 7                                   #! dontKnow must be true, false or a text
              - id: Q-2
                name: Two
                help: " "                                     #! help must be a text of 1 to 1000
                scale: {min: 1, max: 5}
        questions:
          - id: Q-3
            name: Three
            responseType: RADIO
            answers: [{id: A, text: Yes}, {id: B, text: No}]
        parameters:
          custom: [{id: C, name: cart}]
          external: [{id: E, name: tier}]
        translations:
          en: {title: Hello}                                  #! en is the survey's own language
          xx: {title: Hello}                                  #! xx is not a member that is known here
          de:
            titel: Hallo                                      #! titel is not a member that is known here
            questions:
              Q-9: {phrase: Neun}                             #! There is no question Q-9
              Q-2: {help: Hilfe}                              #! Q-2 has no help
              Q-1:
                dontKnow: Weiß nicht                          #! does not offer
                phrase: "\\u0007"                             #! phrase must be a text of 1 to 4000
              Q-3:
                labels: {min: a, max: b}                      #! has no labels
                answers:
                  A: Ja
                  Z: Nein                                     #! Q-3 has no answer Z
        page:
          intro: 5                                            #! intro must be a text of 1 to 5000
          colour: red                                         #! colour is not a member that is known here
          sections:
            - {title: First, questions: [Q-1]}
            - {questions: []}                                 #! A section needs questions
            - questions:
                - Q-1                                         #! stands in a section already, in line
                - Q-7                                         #! There is no question Q-7
          thanks:
            url: javascript:alert(1)                          #! url must be an address
          privacy: https://user:word@shop.example/            #! privacy must be an address
          prefill:
            - Q-1
            - cart
            - tier                                            #! There is no question and no custom parameter tier
          theme:
            accent: "#ffcc00"                                 #! #886b00 is the nearest that passes
            text: blue                                        #! text must be a colour such as
            dark:
              text: "#333333"                                 #! is the nearest that passes
          invite:
            sample: 101                                       #! sample must be a number from 0 to 100
            after: -1                                         #! after must be a whole number
            repeatDays: 1.5                                   #! repeatDays must be a whole number
            urls: [shop]                                      #! must be a path
          protect: everything                                 #! protect must be one of page
          translations:
            fr:
              thanks: Merci                                   #! has no thanks.text
              sections:
                - Première
                - Deuxième                                    #! because this section has no title
                - ""
                - Quatrième
                
`;

const question = { id: 'Q-SAT', name: 'How satisfied?', scale: { min: 1, max: 10 }, dontKnow: true };
const found = {
  id: 'Q-FOUND',
  name: 'Did you find it?',
  responseType: 'RADIO',
  answers: [
    { id: 'A-YES', text: 'Yes' },
    { id: 'A-NO', text: 'No' },
  ],
};
const latent = { id: 'L-SAT', name: 'Satisfaction', type: 'SATISFACTION' };
const labels = { min: 'Poor', max: 'Great' };
const german = {
  title: 'Ihr Besuch',
  questions: {
    'Q-SAT': { phrase: 'Wie zufrieden?' },
    'Q-FOUND': { phrase: 'Gefunden?', answers: { 'A-YES': 'Ja' } },
  },
};
type Entry = Readonly<Record<string, unknown>>;
const surveyOf = (measured: Entry, custom: Entry, rest: Entry = {}): Entry => ({
  id: 'texts-1',
  version: 1,
  current: true,
  public: true,
  latents: [{ ...latent, questions: [measured] }],
  questions: [custom],
  ...rest,
});
const plain = surveyOf(question, found);
const full = surveyOf(
  { ...question, help: 'Think of today.', scale: { ...question.scale, labels }, dontKnow: 'I cannot say' },
  { ...found, help: 'Whatever it was.' },
  { title: 'Your visit', language: 'en', translations: { de: german } },
);
const with_ = (change: (one: Record<string, unknown>) => void): Entry => {
  const copy = structuredClone(full) as Record<string, unknown>;
  change(copy);
  return copy;
};
const measuredOf = (survey: Entry): Record<string, unknown> =>
  (survey.latents as { questions: Record<string, unknown>[] }[])[0]!.questions[0]!;
const deOf = (survey: Entry): typeof german & { questions: Record<string, Record<string, unknown>> } =>
  (survey.translations as { de: never }).de;

const forbidden: readonly { title: string; after: Entry; says: RegExp }[] = [
  {
    title: 'another title',
    after: with_((s) => {
      s.title = 'x';
    }),
    says: /its title cannot change/,
  },
  {
    title: 'no title',
    after: with_((s) => {
      delete s.title;
    }),
    says: /its title cannot change/,
  },
  {
    title: 'another language',
    after: with_((s) => {
      s.language = 'fr';
    }),
    says: /its language cannot change/,
  },
  {
    title: 'another help',
    after: with_((s) => {
      measuredOf(s).help = 'x';
    }),
    says: /help of Q-SAT cannot change/,
  },
  {
    title: 'other labels',
    after: with_((s) => {
      measuredOf(s).scale = { ...question.scale, labels: { ...labels, min: 'x' } };
    }),
    says: /scale\.labels of Q-SAT cannot change/,
  },
  {
    title: 'other words for do not know',
    after: with_((s) => {
      measuredOf(s).dontKnow = true;
    }),
    says: /the text of dontKnow of Q-SAT cannot change/,
  },
  {
    title: 'a language less',
    after: with_((s) => {
      delete s.translations;
    }),
    says: /\(de\.title\)/,
  },
  {
    title: 'another translation',
    after: with_((s) => {
      deOf(s).questions['Q-FOUND']!.answers = { 'A-YES': 'Doch' };
    }),
    says: /what it says in another language cannot change \(de\.questions\.Q-FOUND\.answers\.A-YES\)/,
  },
];

const fullPage = {
  intro: 'Two minutes.\n\nThank you.',
  sections: [{ title: 'Visit', questions: ['Q-SAT'] }, { questions: ['Q-FOUND'] }],
  thanks: { text: 'Thanks!', url: 'https://shop.example/' },
  theme: { accent: '#aa2200', dark: { background: '#101010' } },
  privacy: 'https://shop.example/privacy',
  prefill: ['Q-SAT'],
  invite: { sample: 12.5, after: 10, urls: ['/shop/*'], repeatDays: 30, quietDays: 7 },
  protect: 'page',
  translations: { de: { intro: 'Zwei Minuten.', thanks: 'Danke!', sections: ['Besuch', ''] } },
};

for (const engine of engines) {
  describe(`texts and pages of surveys on ${engine.name}`, { concurrency: 1 }, () => {
    let store: TestStore;
    let env: Readonly<Record<string, string>>;
    let service: Mounted;

    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl };
      service = await startMounted({ databaseUrl: store.databaseUrl });
      await setUp(['apply', fileOf(plain)], env);
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });
    const fileOf = (...surveys: readonly Entry[]): string =>
      writeCatalogue({ id: mountedAccountId, name: 'Acme', measures: [{ key: 20, name: 'Shop', surveys }] });
    const apply = (...surveys: readonly Entry[]) => commandHere(['apply', fileOf(...surveys)], env);
    const send = (responseId: string) =>
      exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          surveyDefinitionId: 'texts-1',
          responseId,
          submissionTimestamp: new Date().toISOString(),
          responses: { 'Q-SAT': ['8'], 'Q-FOUND': ['A-YES'] },
        }),
      });
    const dumped = async (): Promise<Entry> => {
      const dump = parse(
        await soundingsOk(['catalogue', 'dump', '--account', String(mountedAccountId)], env),
      );
      const account = dump.accounts?.[0] ?? dump;
      return account.measures.find(({ key }: { key: number }) => key === 20).surveys[0];
    };

    it('every fault is named with its line, and nothing is changed [D-424]', async () => {
      const { code, stdout, stderr } = await commandHere(['apply', writeCatalogue(faulty)], env);
      assert.deepEqual([code, stdout], [1, '']);
      const expected = faulty.split('\n').flatMap((line, index) => {
        const [, says] = line.split('#! ');
        return says === undefined ? [] : [{ line: index + 1, says }];
      });
      const said = [...stderr.matchAll(/catalogue\.yaml:(\d+): (.*)/g)];
      for (const { line, says } of expected)
        assert.ok(
          said.some(([, at, words]) => Number(at) === line && words!.includes(says)),
          `line ${line} should say: ${says}\n${stderr}`,
        );
      const lines = new Set(expected.map(({ line }) => line));
      assert.deepEqual(
        said.filter(([, at]) => !lines.has(Number(at))).map(([text]) => text.replace(/^.*?: /, '')),
        [said.find(([, , words]) => words!.includes('There are 3 sections'))![0].replace(/^.*?: /, '')],
      );
    });

    it('a version that has responses gets its texts once, and a further language later; the page at any time [D-422]', async () => {
      for (let number = 0; number < 30; number += 1) assert.equal((await send(`r-${number}`)).status, 200);
      const first = await apply({ ...full, page: { intro: 'Hello' } });
      assert.match(
        first.stdout,
        /update survey texts-1: title, language, translations, page, latents, questions/,
      );
      const french = { ...(full.translations as object), fr: { title: 'Votre visite' } };
      assert.match(
        (await apply({ ...full, translations: french, page: fullPage })).stdout,
        /update survey texts-1: translations, page\n/,
      );
      // And what the language does not have yet.
      const more = {
        ...french,
        fr: { ...french.fr, questions: { 'Q-SAT': { phrase: 'Satisfait ?', labels } } },
      };
      assert.match((await apply({ ...full, translations: more, page: fullPage })).stdout, /: translations\n/);
      assert.match((await apply({ ...full, translations: more })).stdout, /: page\n/);
      assert.equal((await send('r-late')).status, 200);
      const written = { ...full, translations: more, page: fullPage };
      await setUp(['apply', fileOf(written)], env);
      assert.deepEqual(await dumped(), written);
      assert.match((await apply(await dumped())).stdout, /nothing to change/);
    });

    for (const { title, after, says } of forbidden)
      it(`a version that has responses cannot get ${title} [D-422]`, async () => {
        const { code, stderr } = await apply(after);
        assert.equal(code, 1);
        assert.match(stderr, /catalogue\.yaml:1: texts-1: texts-1 has responses, and/);
        assert.match(stderr, says);
      });

    it('what is said for the page is not in the definition that callers read', async () => {
      const token = await tokenFor(service.baseUrl, await service.newClient());
      const { status, text } = await exchange(`${service.baseUrl}/v1/measures/20/definition`, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      });
      assert.equal(status, 200, text);
      for (const words of ['Great', 'I cannot say', 'Think of today', 'Ihr Besuch', 'labels', 'theme'])
        assert.equal(text.includes(words), false, words);
    });
  });
}
