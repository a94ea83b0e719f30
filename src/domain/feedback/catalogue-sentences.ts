// What the rules of a catalogue say, by the code of the fault: the sentences of files, terminals and the interface, which never
// change. Values stand in braces. The console has its own in each of its languages, so that no page loads these beside them (D-1041).

/** What the editor of the console can meet. */
export const editorSentences = {
  // Of any document.
  noObject: '{member} must be an object with members.',
  noList: '{member} must be a list.',
  missing: '{member} is missing: {kind}.',
  unknownMember: '{member} is not a member that is known here; known are {known}.',
  otherKind: '{member} must be {kind}.',
  tooManyEntries: '{list} has more than {most} entries, which is the most.',
  theDocument: 'The document',
  unreadable: '{reason}.',
  nestedTooDeep: 'This is nested more than {most} deep, which is the most.',
  aliasesTooMany: 'Its aliases stand for more than {most} values, which is the most.',
  secondDocument: 'A second document begins here.',
  textTooLong: 'This is more than 1,000,000 characters, which is the most.',
  nothingWritten: 'Nothing is written here.',

  // What is there twice.
  latentIdTaken: 'The latent id {value} is taken already, in line {line}.',
  questionIdTaken: 'The question id {value} is taken already, in line {line}.',
  answerIdTaken: 'The answer id {value} is taken already, in line {line}.',
  roleTaken: 'The role {value} is taken already, in line {line}.',
  parameterIdTaken: 'The parameter id {value} is taken already, in line {line}.',
  parameterNameTaken: 'The parameter name {value} is taken already, in line {line}.',

  // Of a survey.
  noCurrentVersion: 'No version is current; mark exactly one with current: true.',
  currentVersions: '{count} versions are current; mark exactly one.',
  latentsOfProject: 'The survey of a project has no latents; they belong to measures.',
  latentTypeOfVersion: 'The latent {latent} is {type} in another version, and keeps its type for ever.',
  latentTypeOfSurvey: 'The latent {latent} is {type} in {survey}, and keeps its type for ever.',
  latentWithoutQuestions: 'A latent needs at least one measured question under questions.',
  scaleEndsEarly: 'The scale ends at {max}, which is not above its begin, {min}.',
  scaleTooLong: 'A scale has at most {most} steps.',
  answersMissing: 'A {type} question needs answers.',
  noOwnAnswers: 'A {type} question takes no answers of its own.',
  answersTooMany: 'At most {most} answers.',
  noScale: 'A {type} question has no scale.',
  scaleOfNps: 'The scale of an NPS question is always 0 to 10.',
  noMaxLength: 'A {type} question has no maxLength; it is for open text.',
  roleOfCheckbox: 'A question with a role takes one answer, so it cannot be a CHECKBOX.',
  ratingWithoutNumbers: 'The question whose role is rating needs answers with numbers as values.',

  // Of its rules.
  ruleWithoutQuestion: 'The rule waits for {question}, and there is no such question.',
  ruleOnText: '{operator} compares numbers, and {question} is open text.',
  ruleWithoutNumber: '{operator} compares with a number, and "{answer}" is none.',
  ruleWithoutAnswer: '{question} has no answer with the id or value "{answer}".',
  rulesInCircle: 'The rules go in a circle, so these questions could never be asked: {questions}.',

  // Of its page and its translations.
  ownLanguage: "{language} is the survey's own language, whose texts are not translations.",
  unknownQuestion: 'There is no question {question} in this version.',
  unknownName: 'There is no question and no custom parameter {name} in this version.',
  noHelp: '{question} has no help that could be translated.',
  noLabels: 'The scale of {question} has no labels that could be translated.',
  noDontKnow: '{question} does not offer "Don\'t know".',
  noAnswerText: '{question} has no answer {answer} with a text of its own.',
  inSection: '{question} stands in a section already, in line {line}.',
  emptySection: 'A section needs questions.',
  namedAlready: '{name} is named already.',
  otherSections: 'There are {sections} sections, and here are {titles} titles.',
  noIntro: 'The page has no intro that could be translated.',
  noThanks: 'The page has no thanks.text that could be translated.',
  noTextColour:
    'No colour of text has a contrast of {needed} to {background} and to the tint of it that marks an answer; {nearest} is the nearest that leaves room for one.',
  lightContrast:
    '{colour} has a contrast of {reached} to the light background {background}, and {needed} is needed there and on the tint of it that marks an answer; {nearest} is the nearest that passes.',
  darkContrast:
    '{colour} has a contrast of {reached} to the dark background {background}, and {needed} is needed there and on the tint of it that marks an answer; {nearest} is the nearest that passes.',

  // Of the editor alone.
  keptName: 'This is the {kind} {key}, and keeps its {member}.',
  measure: 'measure',
  project: 'project',
  oneVersion: 'The editor has one version at a time, and here are {count}: leave exactly one.',
  questionsTooMany:
    'These are {count} latents and questions, and the editor takes {most}: use "soundings apply".',
  parametersTooMany: 'These are {count} parameters, and the editor takes {most}.',
  listTooLong: 'These are {count} {list}, and the editor takes {most} in a list.',
  retentionNotAllowed:
    'How long responses are kept is changed by whoever may erase responses: an admin of the account.',

  // Of what is kept.
  surveyIdElsewhere: 'The survey id {survey} is taken already; ids of surveys are unique in the whole store.',
  surveyIdNamed:
    'The survey id {survey} is taken already; names under /s/, ids of surveys and site keys, are unique in the whole store.',
  siteKeyNamed:
    'The site key {siteKey} is taken already; names under /s/, ids of surveys and site keys, are unique in the whole store.',
  usedVersion: '{survey} has responses, and {change}; give the change a new version with an id of its own.',
  modelInstanceKept: 'its modelInstanceId cannot change',
  versionKept: 'its version number cannot change',
  latentsKept: 'its latents cannot change',
  titleKept: 'its title cannot change',
  languageKept: 'its language cannot change',
  translationKept: 'what it says in another language cannot change ({path})',
  customParametersKept: 'its custom parameters can only be added to, at the end',
  externalParametersKept: 'its external parameters can only be added to, at the end',
  questionKept: 'the question {question} cannot be taken away',
  memberKept: '{member} of {question} cannot change',
  questionAdded: 'no question can be added ({question})',
  orderKept: 'the order of its questions cannot change',
  labelsOfScale: 'scale.labels',
  textOfDontKnow: 'the text of dontKnow',

  // What a member may be.
  aBoolean: 'true or false',
  aBooleanOrText: 'true, false or {text}',
  aText: 'a text of 1 to {most} characters (in quotes, if it looks like a number)',
  aTextOrNone: 'a text of at most {most} characters',
  aLine:
    'a text of 1 to {most} characters in one line, without control characters (in quotes, if it looks like a number)',
  aParagraph:
    'a text of 1 to {most} characters, without control characters but the ends of lines (in quotes, if it looks like a number)',
  anId: 'a text of 1 to {most} characters without control characters (in quotes, if it looks like a number)',
  anAddress:
    'an address of at most {most} characters that begins with https:// or http://, without credentials',
  anInteger: 'a whole number from {min} to {max}',
  aPositiveNumber: 'a number above 0',
  aValue: 'a number, a text or null',
  aTextOrNumber: 'a text or a number',
  oneOf: 'one of {names}',
  aScale: '{min, max} of a measured question',
  anOrigin: 'an origin such as https://shop.example, without a path',
  aQuestionId: 'the id of a question',
  anEmptyText: '"", because this section has no title',
  aColour: 'a colour such as "#0b6169", in quotes',
  aPercentage: 'a number from 0 to 100',
  aPath: 'a path of at most {most} characters that begins with / or *, such as /shop/*',
  aNumberOrForever: '{number}, or forever',
  aMoment: 'a date and time as in 2026-01-31T09:00:00Z',
} as const;

/** What is said of files beside that, which hold accounts and may be long, and of changes that others made first. */
const fileSentences = {
  documentTooLarge:
    'This document has more than 8 MB. Cut the file: one account in each document, with a line of three dashes (---) between them, or one account a line as JSON. An account that is too large goes on in the next document, under the same id and name.',
  documentNotUtf8: 'This document is not UTF-8. Save the file in that encoding.',
  namesTooMany:
    'Up to here the file names more than {most} accounts, measures, projects and surveys. Apply it as several files.',
  accountGoesOn:
    'This goes on with the account of line {line}, and says another name, other limits, other retainDays or another insight.',
  accountRemoved: 'The account {account} was removed, and its number is not given again.',
  accountIdTaken: 'The account id {value} is taken already, in line {line}.',
  measureKeyTaken: 'The measure key {value} is taken already, in line {line}.',
  projectIdTaken: 'The project id {value} is taken already, in line {line}.',
  surveyIdTaken: 'The survey id {value} is taken already, in line {line}.',
  webhookNameTaken: 'The name of the webhook {value} is taken already, in line {line}.',
  connectionNameTaken: 'The name of the connection {value} is taken already, in line {line}.',
  siteKeyWantedTwice:
    'The site key {name} is taken already, in line {line}; names under /s/, ids of surveys and site keys, are unique in the whole store.',
  surveyIdWantedTwice:
    'The survey id {name} is taken already, in line {line}; names under /s/, ids of surveys and site keys, are unique in the whole store.',
  publishedMeanwhile: 'It was published meanwhile.',
  changedMeanwhile: 'The survey was changed meanwhile.',
  aListOfAccounts: 'a list of accounts',
  aShortText: 'a text of 1 to {most} characters',
  anIssuer: 'a URL that begins with https://, without a query',
  aTextWithoutSpaces: 'a text without spaces',
  aClaimName: 'the name of a claim, such as sub or oid',
  aReceiver:
    'a URL that begins with https:// (or http://, within SOUNDINGS_WEBHOOK_NETWORKS), without credentials',
} as const;

export const catalogueSentences = { ...editorSentences, ...fileSentences };

export type CatalogueSentences = typeof catalogueSentences;
export const phraseCodes = Object.keys(catalogueSentences) as readonly (keyof CatalogueSentences)[];
