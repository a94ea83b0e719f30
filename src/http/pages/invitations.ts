// POST /v1/surveys/{id}/invitations: links to a survey, each for one person, with parameters sealed in it; and their revocation.
// Nothing is kept of an invitation until it is revoked (D-446).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { Type } from '../../contract/schema.ts';
import type { SurveyDefinition } from '../../domain/feedback/definition.ts';
import { addFault, shortened } from '../../domain/feedback/draft-faults.ts';
import type { Interruptible } from '../../domain/interruptible.ts';
import {
  endOfInvitation,
  invitationDaysDefault,
  invitationDaysMax,
  invitationLink,
  lengthFault,
  linkCharactersMax,
  parameterFinder,
  valueFaults,
} from '../../domain/pages/invitation.ts';
import { type Fault, Problem } from '../../domain/problem.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import type { WorkQueue } from '../../store/engine/work-budget.ts';
import type { Sources } from '../../store/feedback/sources.ts';
import { parameterLimits } from '../../store/feedback/take-response.ts';
import { sealedAtOnce } from '../../store/pages/invitation-seal.ts';
import { noteInvitations, revokeInvitations } from '../../store/pages/invitations.ts';
import type { Gate } from '../access/gate.ts';
import { mayUse } from '../feedback/survey-access.ts';
import { invalidRequest } from '../server/input.ts';
import type { PublicUrl } from '../server/public-url.ts';
import { addRoute, callerOfRequest } from '../server/route.ts';
import type { PageTokens } from './page-tokens.ts';

const invitationsMax = 1_000;
/** One token of the throttle for so many. */
const invitationsAToken = 100;
const bodyBytesMax = 4 * 1024 * 1024;
const bodiesAtOnceMin = 8;

const SurveyId = Type.Object({
  surveyId: Type.String({ minLength: 1, maxLength: 255, description: 'The id of a survey definition.' }),
});

const InvitationsBody = Type.Object(
  {
    invitations: Type.Array(
      Type.Object(
        {
          parameters: Type.Optional(
            Type.Record(Type.String(), Type.String(), {
              description:
                'Custom parameters that the survey declares, by name or id. They come with the response, and nobody who has the link can read or change them.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: invitationsMax, description: 'One for each person.' },
    ),
    expiresInDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: invitationDaysMax,
        description: `How long the links are good; ${invitationDaysDefault} days unless given.`,
      }),
    ),
  },
  { $id: 'NewInvitations', additionalProperties: false },
);

const InvitationList = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        invitationId: Type.String({
          description: 'A UUID: the responseId of the answer, and what a revocation names.',
        }),
        url: Type.String({ description: 'The link for this person.' }),
        expires: Type.String({ format: 'date-time' }),
      }),
      { description: 'In the order of the request.' },
    ),
  },
  { $id: 'InvitationList' },
);

const RevocationBody = Type.Object(
  {
    invitationIds: Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: invitationsMax }),
  },
  { $id: 'InvitationRevocation', additionalProperties: false },
);

const RevocationResult = Type.Object(
  { revoked: Type.Integer({ description: 'Those that were not revoked before.' }) },
  { $id: 'InvitationRevocationResult' },
);

interface InvitationServices {
  readonly context: Context;
  readonly sources: Sources;
  readonly gate: Gate;
  readonly workQueue: WorkQueue;
  readonly publicUrl: PublicUrl;
  readonly pageTokens: PageTokens;
}

const failures = [400, 401, 403, 404, 406, 413, 415, 429, 500, 502, 503];

export function invitationRoutes(app: FastifyInstance, services: InvitationServices): void {
  const { context, gate } = services;
  const shared = {
    method: 'POST',
    area: 'service',
    access: { grant: 'w_cx_responses' },
    consumes: ['application/json'],
    params: SurveyId,
  } as const;
  addRoute(app, {
    ...shared,
    path: '/v1/surveys/:surveyId/invitations',
    bodyLimitBytes: Math.min(bodyBytesMax, Math.floor(context.config.bodiesLimitBytes / bodiesAtOnceMin)),
    body: InvitationsBody,
    document: {
      operationId: 'createInvitations',
      summary: 'Make links to a survey, each for one person',
      description: `At most ${invitationsMax} in a request. Each link is answered once: whoever sends again sees the thank-you page, and the first answer stays. A private survey is shown to nobody without one. A link has at most ${linkCharactersMax} characters: pass ids rather than texts. Nothing is kept of an invitation, so a request that was sent twice makes other links and does no harm.`,
      tag: 'Ingestion',
      success: { status: 200, schema: InvitationList, description: 'The links' },
      conditions: failures,
    },
    async handle({ params: { surveyId }, body }, request, reply) {
      const definition = await surveyOf(services, request, surveyId);
      if (definition.closed)
        throw invalidRequest([
          { field: 'surveyId', code: 'SURVEY_CLOSED', message: 'The survey is closed: nobody could answer.' },
        ]);
      gate.charge(callerOfRequest(request), body.invitations.length / invitationsAToken);
      const parameters = await services.workQueue.run(judged(services, definition, body.invitations));
      return {
        items: await made(services, { request, reply, surveyId, parameters, days: body.expiresInDays }),
      };
    },
  });
  addRoute(app, {
    ...shared,
    path: '/v1/surveys/:surveyId/invitations/revocations',
    body: RevocationBody,
    document: {
      operationId: 'revokeInvitations',
      summary: 'Take invitations back',
      description: `At most ${invitationsMax} in a request. Their links open nothing any more; what was answered stays.`,
      tag: 'Ingestion',
      success: { status: 200, schema: RevocationResult, description: 'They are revoked' },
      conditions: failures,
    },
    async handle({ params: { surveyId }, body }, request) {
      await surveyOf(services, request, surveyId);
      const { accountId } = callerOfRequest(request);
      const invitationIds = [...new Set(body.invitationIds.map((id) => id.toLowerCase()))];
      const stamp = stampOf(context, request);
      return {
        revoked: await context.db.write(revokeInvitations, { ...stamp, accountId, surveyId, invitationIds }),
      };
    },
  });
}

/** A survey of another account is not found, as if there were none. */
async function surveyOf(
  { sources }: InvitationServices,
  request: FastifyRequest,
  surveyId: string,
): Promise<SurveyDefinition> {
  const caller = callerOfRequest(request);
  const known = await sources.ofSurvey(surveyId);
  const isKnown = known !== null && mayUse(caller, known, surveyId);
  const ready = isKnown ? known : await sources.freshOfSurvey(surveyId);
  if (ready === null || !mayUse(caller, ready, surveyId))
    throw new Problem('SURVEY_NOT_FOUND', 'The account has no survey definition with this id.');
  return ready.survey(surveyId)!.definition;
}

type Parameters = Readonly<Record<string, string>>;

/** The parameters of each invitation under the names of the survey; every fault of all of them at once. */
function* judged(
  { context, publicUrl }: InvitationServices,
  definition: SurveyDefinition,
  invitations: readonly { readonly parameters?: Parameters }[],
): Interruptible<readonly Parameters[]> {
  const limits = parameterLimits(context.config);
  const nameOf = parameterFinder(definition);
  const faults: Fault[] = [];
  const all: Parameters[] = [];
  for (const [place, { parameters = {} }] of invitations.entries()) {
    const before = faults.length;
    const add = ({ field, code, message }: Fault): void =>
      addFault(faults, `invitations[${place}].${field}`, code, message);
    const named = new Map<string, string>();
    for (const [sent, value] of Object.entries(parameters)) {
      const name = nameOf(sent);
      const field = `parameters.${shortened(sent)}`;
      if (name === null)
        add({ field, code: 'UNKNOWN', message: 'The survey declares no custom parameter of this name.' });
      else if (named.has(name))
        add({
          field,
          code: 'REPEATED',
          message: 'The parameter is there already, under its name or its id.',
        });
      else named.set(name, value);
    }
    // As in a list: an empty value passes nothing.
    const passed = Object.fromEntries([...named].filter(([, value]) => value !== ''));
    for (const fault of valueFaults(passed, limits)) add(fault);
    const long = faults.length > before ? null : lengthFault(publicUrl.base, definition.id, passed);
    if (long !== null) add(long);
    all.push(passed);
    yield;
  }
  if (faults.length > 0)
    throw new Problem('INVALID_REQUEST', 'The invitations are not valid, and none was made.', {
      details: faults,
    });
  return all;
}

interface Making {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly surveyId: string;
  readonly parameters: readonly Parameters[];
  readonly days: number | undefined;
}

async function made(
  { context, publicUrl, pageTokens, workQueue }: InvitationServices,
  { request, reply, surveyId, parameters, days = invitationDaysDefault }: Making,
): Promise<readonly object[]> {
  const { accountId } = callerOfRequest(request);
  const survey = { accountId, surveyId };
  const stamp = stampOf(context, request);
  const issuedAtMs = stamp.nowMs;
  const endsAtMs = endOfInvitation(issuedAtMs, days);
  const key = await pageTokens.invitations.keyUntil(endsAtMs);
  await context.db.write(noteInvitations, { ...stamp, ...survey, count: parameters.length, endsAtMs });
  const expires = new Date(endsAtMs).toISOString();
  const items: object[] = [];
  for (let begin = 0; begin < parameters.length; begin += sealedAtOnce) {
    if (reply.raw.destroyed)
      throw new Problem('REQUEST_ABANDONED', 'The caller went away before all links were made.');
    await workQueue.nextSlice();
    const slice = parameters
      .slice(begin, begin + sealedAtOnce)
      .map((passed) => ({ invitationId: context.newId(), issuedAtMs, endsAtMs, parameters: passed }));
    const tokens = await pageTokens.invitations.seal(key, survey, slice);
    for (const [place, { invitationId }] of slice.entries())
      items.push({ invitationId, url: invitationLink(publicUrl.base, surveyId, tokens[place]!), expires });
  }
  return items;
}

function stampOf({ newId, now }: Context, request: FastifyRequest): ChangeStamp {
  return {
    ...{ changeId: newId(), nowMs: now(), actor: callerOfRequest(request).apiClientId },
    ...{ requestId: request.id, origin: request.ip },
  };
}
