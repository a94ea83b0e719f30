// Links to a survey, each for one person, with parameters sealed in it; and their revocation (D-446).

import {
  invitationDaysDefault,
  invitationDaysMax,
  linkCharactersMax,
} from '../../domain/pages/invitation.ts';
import { bodyRefusals, serviceOperations, tokenRefusals } from '../operation.ts';
import { Type } from '../schema.ts';

const invitationsMax = 1_000;

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

const refusals = [...tokenRefusals, ...bodyRefusals, 'INVALID_RESPONSE', 'SURVEY_NOT_FOUND'] as const;

export const invitationOperations = serviceOperations({
  'POST /v1/surveys/:surveyId/invitations': {
    access: { grant: 'w_cx_responses' },
    consumes: ['application/json'],
    params: SurveyId,
    body: InvitationsBody,
    document: {
      operationId: 'createInvitations',
      summary: 'Make links to a survey, each for one person',
      description: `At most ${invitationsMax} in a request. Each link is answered once: whoever sends again sees the thank-you page, and the first answer stays. A private survey is shown to nobody without one. A link has at most ${linkCharactersMax} characters: pass ids rather than texts. Nothing is kept of an invitation, so a request that was sent twice makes other links and does no harm.`,
      tag: 'Ingestion',
      success: { status: 200, schema: InvitationList, description: 'The links' },
    },
    refusals,
  },
  'POST /v1/surveys/:surveyId/invitations/revocations': {
    access: { grant: 'w_cx_responses' },
    consumes: ['application/json'],
    params: SurveyId,
    body: RevocationBody,
    document: {
      operationId: 'revokeInvitations',
      summary: 'Take invitations back',
      description: `At most ${invitationsMax} in a request. Their links open nothing any more; what was answered stays.`,
      tag: 'Ingestion',
      success: { status: 200, schema: RevocationResult, description: 'They are revoked' },
    },
    refusals,
  },
});
