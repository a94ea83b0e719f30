// /console/api/surveys/{measures,projects}/{key}/...: the editor of surveys. It reads a measure or project with one version as a
// catalogue has it, says what a draft would change and what is wrong with it, and publishes it by the rules of `soundings apply`.

import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';

export const tag = 'Survey editor';

export const access = { people: 'signedIn', ability: 'edit surveys' } as const;

export const kinds = [
  { kind: 'measure', path: 'measures', code: 'MEASURE_NOT_FOUND', keyMax: 2 ** 31 - 1 },
  { kind: 'project', path: 'projects', code: 'PROJECT_NOT_FOUND', keyMax: Number.MAX_SAFE_INTEGER },
] as const;

export const surveyDraftOperations = consoleOperations({
  'GET /surveys/free-key': {
    access,
    query: Type.Object({ kind: Type.Enum(kinds.map(({ kind }) => kind)) }),
    document: {
      operationId: 'freeSurveyKey',
      summary: 'A number for a new measure or project',
      description: 'One that none of the account has, or had.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ key: Type.Union([Type.Integer(), Type.Null()]) }, { $id: 'FreeSurveyKey' }),
        description: 'The number; null where the largest is taken.',
      },
    },
  },
});
