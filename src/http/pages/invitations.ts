// POST /v1/surveys/{id}/invitations: links to a survey, each for one person, with parameters sealed in it; and their revocation.
// Nothing is kept of an invitation until it is revoked (D-446).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mayUse } from '../../acts/feedback/survey-access.ts';
import type { Context } from '../../context.ts';
import { invitationOperations } from '../../contract/feedback/invitations.ts';
import type { SurveyDefinition } from '../../domain/feedback/definition.ts';
import { addFault, shortened } from '../../domain/feedback/draft-faults.ts';
import type { Interruptible } from '../../domain/interruptible.ts';
import type { PublicUrl } from '../../domain/operations/public-url.ts';
import {
  endOfInvitation,
  invitationDaysDefault,
  invitationLink,
  lengthFault,
  parameterFinder,
  valueFaults,
} from '../../domain/pages/invitation.ts';
import { type Fault, invalidRequest, Problem } from '../../domain/problem.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import type { WorkQueue } from '../../store/engine/work/work-budget.ts';
import type { Sources } from '../../store/feedback/sources.ts';
import { parameterLimits } from '../../store/feedback/take-response.ts';
import { sealedAtOnce } from '../../store/pages/invitation-seal.ts';
import { noteInvitations, revokeInvitations } from '../../store/pages/invitations.ts';
import type { ChargedThrottle } from '../server/request-budget.ts';
import { addOperation, callerOfRequest } from '../server/route.ts';
import type { PageTokens } from './page-tokens.ts';

/** One token of the throttle for so many. */
const invitationsAToken = 100;
const bodyBytesMax = 4 * 1024 * 1024;
const bodiesAtOnceMin = 8;

interface InvitationServices {
  readonly context: Context;
  readonly sources: Sources;
  readonly gate: ChargedThrottle;
  readonly workQueue: WorkQueue;
  readonly publicUrl: PublicUrl;
  readonly pageTokens: PageTokens;
}

export function invitationRoutes(app: FastifyInstance, services: InvitationServices): void {
  const { context, gate } = services;
  addOperation(
    app,
    invitationOperations,
    'POST /v1/surveys/:surveyId/invitations',
    async ({ params: { surveyId }, body }, request, reply) => {
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
    { bodyLimitBytes: Math.min(bodyBytesMax, Math.floor(context.config.bodiesLimitBytes / bodiesAtOnceMin)) },
  );
  addOperation(
    app,
    invitationOperations,
    'POST /v1/surveys/:surveyId/invitations/revocations',
    async ({ params: { surveyId }, body }, request) => {
      await surveyOf(services, request, surveyId);
      const { accountId } = callerOfRequest(request);
      const invitationIds = [...new Set(body.invitationIds.map((id) => id.toLowerCase()))];
      const stamp = stampOf(context, request);
      return {
        revoked: await context.db.write(revokeInvitations, { ...stamp, accountId, surveyId, invitationIds }),
      };
    },
  );
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

interface Invitation {
  readonly invitationId: string;
  readonly url: string;
  readonly expires: string;
}

async function made(
  { context, publicUrl, pageTokens, workQueue }: InvitationServices,
  { request, reply, surveyId, parameters, days = invitationDaysDefault }: Making,
): Promise<readonly Invitation[]> {
  const { accountId } = callerOfRequest(request);
  const survey = { accountId, surveyId };
  const stamp = stampOf(context, request);
  const issuedAtMs = stamp.nowMs;
  const endsAtMs = endOfInvitation(issuedAtMs, days);
  const key = await pageTokens.invitations.keyUntil(endsAtMs);
  await context.db.write(noteInvitations, { ...stamp, ...survey, count: parameters.length, endsAtMs });
  const expires = new Date(endsAtMs).toISOString();
  const items: Invitation[] = [];
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
