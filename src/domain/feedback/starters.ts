// Surveys to begin with, for an account that has none: as a catalogue file would say them, in the three languages of the console. The
// one who publishes chooses which of them is the survey's own; the others are its translations.

export const starterNames = ['satisfaction', 'badge', 'nps'] as const;
export type StarterName = (typeof starterNames)[number];

export const starterLanguages = ['en', 'de', 'fr'] as const;
export type StarterLanguage = (typeof starterLanguages)[number];

/** Where each begins; it is published only where this is free (D-580). */
export const starterPlaces: Readonly<
  Record<StarterName, { readonly kind: 'measure' | 'project'; readonly key: number }>
> = {
  satisfaction: { kind: 'measure', key: 1001 },
  badge: { kind: 'project', key: 2001 },
  nps: { kind: 'project', key: 2002 },
};

/** By this a starter is known again, whatever it was called since. */
export function modelOf(starter: StarterName): string {
  return `starter-${starter}`;
}

type ByStarterLanguage<Text> = Readonly<Record<StarterLanguage, Text>>;

interface QuestionText {
  readonly ask: ByStarterLanguage<string>;
  readonly ends?: ByStarterLanguage<readonly [min: string, max: string]>;
  readonly answers?: Readonly<Record<string, ByStarterLanguage<string>>>;
}

interface StarterTexts {
  readonly name: ByStarterLanguage<string>;
  readonly title: ByStarterLanguage<string>;
  readonly intro?: ByStarterLanguage<string>;
  readonly thanks: ByStarterLanguage<string>;
  readonly questions: Readonly<Record<string, QuestionText>>;
}

const howGood = {
  en: ['Poor', 'Excellent'],
  de: ['Schlecht', 'Ausgezeichnet'],
  fr: ['Mauvais', 'Excellent'],
} as const;
const howLikely = {
  en: ['Not at all likely', 'Very likely'],
  de: ['Sehr unwahrscheinlich', 'Sehr wahrscheinlich'],
  fr: ['Pas du tout probable', 'Très probable'],
} as const;

const texts: Readonly<Record<StarterName, StarterTexts>> = {
  satisfaction: {
    name: { en: 'Customer satisfaction', de: 'Kundenzufriedenheit', fr: 'Satisfaction des clients' },
    title: { en: 'How was it?', de: 'Wie war es?', fr: 'Comment était-ce ?' },
    intro: {
      en: 'Eight short questions, two minutes. Your answers help us to get better.',
      de: 'Acht kurze Fragen, zwei Minuten. Ihre Antworten helfen uns, besser zu werden.',
      fr: 'Huit questions courtes, deux minutes. Vos réponses nous aident à nous améliorer.',
    },
    thanks: {
      en: 'Thank you. We read every answer.',
      de: 'Vielen Dank. Wir lesen jede Antwort.',
      fr: 'Merci. Nous lisons chaque réponse.',
    },
    questions: {
      'Q-SAT-1': {
        ask: {
          en: 'How satisfied are you with us overall?',
          de: 'Wie zufrieden sind Sie insgesamt mit uns?',
          fr: 'Dans l’ensemble, à quel point êtes-vous satisfait de nous ?',
        },
        ends: {
          en: ['Very dissatisfied', 'Very satisfied'],
          de: ['Sehr unzufrieden', 'Sehr zufrieden'],
          fr: ['Très insatisfait', 'Très satisfait'],
        },
      },
      'Q-SAT-2': {
        ask: {
          en: 'How well did we meet your expectations?',
          de: 'Wie gut haben wir Ihre Erwartungen erfüllt?',
          fr: 'À quel point avons-nous répondu à vos attentes ?',
        },
        ends: {
          en: ['Not at all', 'Better than expected'],
          de: ['Gar nicht', 'Besser als erwartet'],
          fr: ['Pas du tout', 'Mieux que prévu'],
        },
      },
      'Q-EASE-1': {
        ask: {
          en: 'How easy was it to get what you came for?',
          de: 'Wie leicht war es, Ihr Anliegen zu erledigen?',
          fr: 'À quel point était-il facile d’obtenir ce que vous cherchiez ?',
        },
        ends: {
          en: ['Very hard', 'Very easy'],
          de: ['Sehr schwer', 'Sehr leicht'],
          fr: ['Très difficile', 'Très facile'],
        },
      },
      'Q-INFO-1': {
        ask: {
          en: 'How clear was the information you were given?',
          de: 'Wie verständlich waren die Informationen?',
          fr: 'Les informations étaient-elles claires ?',
        },
        ends: howGood,
      },
      'Q-HELP-1': {
        ask: {
          en: 'How well did we help you when you needed us?',
          de: 'Wie gut haben wir Ihnen geholfen, wenn Sie uns brauchten?',
          fr: 'Comment vous avons-nous aidé quand vous en aviez besoin ?',
        },
        ends: howGood,
      },
      'Q-RETURN-1': {
        ask: {
          en: 'How likely are you to come back to us?',
          de: 'Wie wahrscheinlich kommen Sie wieder zu uns?',
          fr: 'Quelle est la probabilité que vous reveniez chez nous ?',
        },
        ends: howLikely,
      },
      'Q-DONE': {
        ask: {
          en: 'Did you get done what you came for?',
          de: 'Konnten Sie Ihr Anliegen erledigen?',
          fr: 'Avez-vous pu faire ce que vous vouliez ?',
        },
        answers: {
          YES: { en: 'Yes', de: 'Ja', fr: 'Oui' },
          PARTLY: { en: 'Partly', de: 'Teilweise', fr: 'En partie' },
          NO: { en: 'No', de: 'Nein', fr: 'Non' },
        },
      },
      'Q-COMMENT': {
        ask: {
          en: 'What should we do better?',
          de: 'Was sollten wir besser machen?',
          fr: 'Que devrions-nous améliorer ?',
        },
      },
    },
  },
  badge: {
    name: { en: 'Site feedback', de: 'Feedback zur Website', fr: 'Avis sur le site' },
    title: { en: 'Feedback', de: 'Feedback', fr: 'Votre avis' },
    thanks: {
      en: 'Thank you. We read every word.',
      de: 'Vielen Dank. Wir lesen jedes Wort.',
      fr: 'Merci. Nous lisons chaque mot.',
    },
    questions: {
      'Q-STARS': {
        ask: {
          en: 'How would you rate this page?',
          de: 'Wie bewerten Sie diese Seite?',
          fr: 'Quelle note donnez-vous à cette page ?',
        },
      },
      'Q-TOPIC': {
        ask: { en: 'What is it about?', de: 'Worum geht es?', fr: 'De quoi s’agit-il ?' },
        answers: {
          PROBLEM: { en: 'Something does not work', de: 'Etwas funktioniert nicht', fr: 'Un problème' },
          CONTENT: { en: 'Content', de: 'Inhalt', fr: 'Le contenu' },
          IDEA: { en: 'An idea', de: 'Eine Idee', fr: 'Une idée' },
          PRAISE: { en: 'Praise', de: 'Lob', fr: 'Un compliment' },
          OTHER: { en: 'Something else', de: 'Etwas anderes', fr: 'Autre chose' },
        },
      },
      'Q-COMMENT': {
        ask: {
          en: 'What would you like to tell us?',
          de: 'Was möchten Sie uns sagen?',
          fr: 'Que souhaitez-vous nous dire ?',
        },
      },
    },
  },
  nps: {
    name: { en: 'Recommendation (NPS)', de: 'Weiterempfehlung (NPS)', fr: 'Recommandation (NPS)' },
    title: { en: 'One question', de: 'Eine Frage', fr: 'Une question' },
    thanks: {
      en: 'Thank you for your answer.',
      de: 'Vielen Dank für Ihre Antwort.',
      fr: 'Merci pour votre réponse.',
    },
    questions: {
      'Q-NPS': {
        ask: {
          en: 'How likely are you to recommend us to a friend or colleague?',
          de: 'Wie wahrscheinlich empfehlen Sie uns weiter?',
          fr: 'Quelle est la probabilité que vous nous recommandiez à un proche ou à un collègue ?',
        },
        ends: howLikely,
      },
      'Q-COMMENT': {
        ask: {
          en: 'What is the main reason for your answer?',
          de: 'Was ist der wichtigste Grund für Ihre Antwort?',
          fr: 'Quelle est la raison principale de votre réponse ?',
        },
      },
    },
  },
};

const latents = [
  {
    id: 'L-SAT',
    type: 'SATISFACTION',
    name: { en: 'Satisfaction', de: 'Zufriedenheit', fr: 'Satisfaction' },
    questions: ['Q-SAT-1', 'Q-SAT-2'],
  },
  {
    id: 'L-EASE',
    type: 'ELEMENTS',
    name: { en: 'Ease', de: 'Einfachheit', fr: 'Facilité' },
    questions: ['Q-EASE-1'],
  },
  {
    id: 'L-INFO',
    type: 'ELEMENTS',
    name: { en: 'Information', de: 'Information', fr: 'Information' },
    questions: ['Q-INFO-1'],
  },
  {
    id: 'L-HELP',
    type: 'ELEMENTS',
    name: { en: 'Help', de: 'Hilfe', fr: 'Aide' },
    questions: ['Q-HELP-1'],
  },
  {
    id: 'L-RETURN',
    type: 'FUTURE_BEHAVIOR',
    name: { en: 'Coming back', de: 'Wiederkommen', fr: 'Retour' },
    questions: ['Q-RETURN-1'],
  },
] as const;

const customs: Readonly<Record<StarterName, readonly (readonly [id: string, facts: object])[]>> = {
  satisfaction: [
    ['Q-DONE', { responseType: 'RADIO' }],
    ['Q-COMMENT', { responseType: 'TEXT_AREA', maxLength: 2000 }],
  ],
  badge: [
    ['Q-STARS', { responseType: 'STAR_RATING', required: true, role: 'rating' }],
    ['Q-TOPIC', { responseType: 'SELECT', role: 'topic' }],
    ['Q-COMMENT', { responseType: 'TEXT_AREA', maxLength: 2000 }],
  ],
  nps: [
    ['Q-NPS', { responseType: 'NPS', required: true, role: 'rating' }],
    ['Q-COMMENT', { responseType: 'TEXT_AREA', maxLength: 2000 }],
  ],
};

interface StarterWanted {
  readonly account: { readonly id: number; readonly name: string };
  readonly language: StarterLanguage;
  /** Part of the names under /s/, which are unique in the whole store and should not be guessed. */
  readonly mark: string;
}

/** The catalogue file of a starter. */
export function starterFile(starter: StarterName, { account, language, mark }: StarterWanted): string {
  const { kind, key } = starterPlaces[starter];
  const { name, title, intro, thanks } = texts[starter];
  const others = starterLanguages.filter((one) => one !== language);
  const byOther = (translate: (other: StarterLanguage) => object): object =>
    Object.fromEntries(others.map((other) => [other, translate(other)]));
  const survey = {
    id: `${starter}-${mark}-1`,
    modelInstanceId: modelOf(starter),
    public: true,
    title: title[language],
    language,
    quarantine: true,
    ...(kind === 'measure' ? { latents: measured(starter, language) } : {}),
    questions: customs[starter].map(([id, facts]) => ({ ...questionOf(starter, id, language), ...facts })),
    translations: byOther((other) => ({
      title: title[other],
      questions: Object.fromEntries(
        Object.entries(texts[starter].questions).map(([id, question]) => [id, translated(question, other)]),
      ),
    })),
    page: {
      ...(intro === undefined ? {} : { intro: intro[language] }),
      thanks: { text: thanks[language] },
      translations: byOther((other) => ({
        ...(intro === undefined ? {} : { intro: intro[other] }),
        thanks: thanks[other],
      })),
    },
  };
  const source = { name: name[language], surveys: [survey] };
  const written =
    kind === 'measure'
      ? { measures: [{ key, channel: 'WEB', ...source }] }
      : { projects: [{ id: key, siteKey: `${starter}-${mark}`, status: 'ACTIVE', ...source }] };
  return JSON.stringify({ accounts: [{ ...account, ...written }] });
}

function measured(starter: StarterName, language: StarterLanguage): readonly object[] {
  return latents.map(({ id, type, name, questions }) => ({
    id,
    type,
    name: name[language],
    questions: questions.map((question) => {
      const { scale, ...rest } = questionOf(starter, question, language);
      return { ...rest, weight: 1 / questions.length, scale: { min: 1, max: 10, ...scale }, dontKnow: true };
    }),
  }));
}

function questionOf(starter: StarterName, id: string, language: StarterLanguage) {
  const { ask, ends, answers } = texts[starter].questions[id]!;
  const [min, max] = ends?.[language] ?? [];
  const isMeasured = latents.some(({ questions }) => (questions as readonly string[]).includes(id));
  const bounds = isMeasured ? { min: 1, max: 10 } : { min: 0, max: 10 };
  return {
    id,
    name: ask[language],
    ...(min === undefined ? {} : { scale: { ...bounds, labels: { min, max } } }),
    ...(answers === undefined
      ? {}
      : {
          answers: Object.entries(answers).map(([answer, text]) => ({ id: answer, text: text[language] })),
        }),
  };
}

function translated({ ask, ends, answers }: QuestionText, language: StarterLanguage): object {
  const [min, max] = ends?.[language] ?? [];
  return {
    phrase: ask[language],
    ...(min === undefined ? {} : { labels: { min, max } }),
    ...(answers === undefined
      ? {}
      : { answers: Object.fromEntries(Object.entries(answers).map(([id, text]) => [id, text[language]])) }),
  };
}
