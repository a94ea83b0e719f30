// /console/api/surveys/measures/KEY/share: how people get to a survey. Its link, the link as a QR code, and invitations made from a
// list.

import { type SourceKind, sourceKinds } from '../../domain/feedback/source-kind.ts';
import { invitationDaysDefault, invitationDaysMax } from '../../domain/pages/invitation.ts';
import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import { sourceKey, sourceRefusals } from './source-key.ts';
import { surveyStates } from './surveys.ts';

const tag = 'Surveys';
const csv = 'text/csv';
const svg = 'image/svg+xml';

/** A list that is sent as a whole; the command takes longer ones. */
export const listBytesMax = 4 * 1024 * 1024;
export const linesMax = 50_000;

/** Entries of the audit log that are listed. */
export const madeShown = 100;

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const shareSchema = Type.Object(
  {
    kind: Type.Enum([...sourceKinds]),
    key: Type.Integer(),
    name: Type.String(),
    state: Type.Enum([...surveyStates]),
    surveyId: Type.String(),
    version: Type.Integer(),
    public: Type.Boolean(),
    titles: Type.Array(
      Type.Object({ language: Type.String(), title: Type.String(), intro: orNull('Above the questions.') }),
      { description: 'In each language of the survey, its own first.' },
    ),
    origins: Type.Array(Type.String(), {
      description: 'Pages of these alone may embed it; of any where there are none.',
    }),
    page: Type.Object({
      base: Type.String({ description: 'The address of the service.' }),
      name: Type.String({ description: 'Of the page under /s/: a site key, or the id of the version.' }),
      link: orNull('Null for a private survey, which is shown to nobody without an invitation.'),
    }),
    isLocal: Type.Boolean({ description: 'The link leads to this machine, and other devices nowhere.' }),
    qr: Type.Union(
      [Type.Object({ size: Type.Integer(), path: Type.String({ description: 'Of SVG.' }) }), Type.Null()],
      { description: 'The link as a QR code.' },
    ),
    parameters: Type.Array(Type.String(), { description: 'Names of custom parameters.' }),
    responses: Type.Integer(),
    lastResponse: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  { $id: 'SharedSurvey' },
);

const invitationsSchema = Type.Object(
  {
    invited: Type.Integer({ description: 'Links that were made for the current version, reminders too.' }),
    isWhole: Type.Boolean({ description: 'False where older entries of the audit log were not looked at.' }),
    answered: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Responses of a private version, which come by invitations. Null for a public one: who was invited is not kept.',
    }),
    items: Type.Array(
      Type.Object({
        at: Type.String({ format: 'date-time' }),
        by: orNull('Who made them; null where that is not known any more.'),
        invited: Type.Integer(),
        expires: Type.String({ format: 'date-time' }),
      }),
      { description: `The newest ${madeShown}.` },
    ),
  },
  { $id: 'MadeInvitations' },
);

const shared = (kind: SourceKind) =>
  ({
    access: { people: 'signedIn', ability: 'edit surveys' },
    params: sourceKey,
    refusals: sourceRefusals(kind),
  }) as const;

const capital = (kind: SourceKind): string => (kind === 'measure' ? 'Measure' : 'Project');

const share = (kind: SourceKind) =>
  ({
    ...shared(kind),
    document: {
      operationId: `share${capital(kind)}`,
      summary: 'How people get to a survey',
      description: 'The link to its page, the link as a QR code, and how many responses there are.',
      tag,
      success: { status: 200, schema: shareSchema, description: 'The link and what belongs to it.' },
    },
  }) as const;

const qrCode = (kind: SourceKind) =>
  ({
    ...shared(kind),
    produces: [svg],
    document: {
      operationId: `qr${capital(kind)}`,
      summary: 'The link to a survey as a QR code',
      description: 'A picture for print. A private survey has no such link.',
      tag,
      success: { status: 200, schema: Type.Unknown(), description: 'The picture.', as: 'file' },
    },
  }) as const;

const invitations = (kind: SourceKind) =>
  ({
    ...shared(kind),
    document: {
      operationId: `list${capital(kind)}Invitations`,
      summary: 'Invitations that were made for the current version',
      description: 'As the audit log says; of the invitations themselves nothing is kept.',
      tag,
      success: { status: 200, schema: invitationsSchema, description: 'How many, when and by whom.' },
    },
  }) as const;

const invite = (kind: SourceKind) =>
  ({
    ...shared(kind),
    consumes: [csv],
    readsBytes: true,
    produces: [csv],
    query: Type.Object({
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: invitationDaysMax,
          description: `How long the links are good; ${invitationDaysDefault} unless given.`,
        }),
      ),
      copy: Type.Optional(
        Type.String({
          maxLength: 4_000,
          description:
            'Columns that come to the links and are not passed, such as an address: joined by `;`, each percent-encoded once more.',
        }),
      ),
      spreadsheet: Type.Optional(
        Type.Boolean({ description: 'A byte order mark, and no cell that would be taken for a formula.' }),
      ),
    }),
    document: {
      operationId: `invite${capital(kind)}`,
      summary: 'Make invitations from a list',
      description: `A CSV file in UTF-8 whose columns are custom parameters of the survey, at most ${linesMax} lines and ${listBytesMax / 1024 / 1024} MiB. All of it is checked first: with a fault nobody is invited, and the faults are named with their lines. The answer is the list with the links, once.`,
      tag,
      body: Type.String({ description: 'The list.' }),
      success: { status: 200, schema: Type.Unknown(), description: 'The list with the links.', as: 'file' },
    },
  }) as const;

export const shareOperations = consoleOperations({
  'GET /surveys/measures/:key/share': share('measure'),
  'GET /surveys/projects/:key/share': share('project'),
  'GET /surveys/measures/:key/qr.svg': qrCode('measure'),
  'GET /surveys/projects/:key/qr.svg': qrCode('project'),
  'GET /surveys/measures/:key/invitations': invitations('measure'),
  'GET /surveys/projects/:key/invitations': invitations('project'),
  'POST /surveys/measures/:key/invitations': invite('measure'),
  'POST /surveys/projects/:key/invitations': invite('project'),
});
