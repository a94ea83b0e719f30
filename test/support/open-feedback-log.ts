// A new store with sources, for tests of the log itself: bodies are judged as ingestion judges them, and appended by
// the test.

import { buildContext } from '../../src/cli/frame/open-context.ts';
import { applyFile, readCatalogueFile } from '../../src/cli/surveys/catalogue-file.ts';
import { readConfig } from '../../src/config.ts';
import type { AppendItem } from '../../src/domain/feedback/judged-draft.ts';
import { judgeDraft } from '../../src/domain/feedback/judged-draft.ts';
import { readDraft } from '../../src/domain/feedback/response-draft.ts';
import { type PreparedSurvey, prepareSurvey } from '../../src/domain/feedback/survey.ts';
import { findSourceOfSurvey } from '../../src/store/feedback/catalogue.ts';
import { writeCatalogue } from './catalogue.ts';
import type { Engine } from './engines.ts';
import type { ResponseBody } from './feedback-model.ts';
import { type OpenedStore, openStore } from './open-db.ts';

export interface OpenedLog extends OpenedStore {
  apply(catalogue: object): Promise<void>;
  /** A body as an append takes it, judged by what is applied now. */
  item(body: ResponseBody): Promise<AppendItem>;
}

export async function openFeedbackLog(engine: Engine, catalogue: object): Promise<OpenedLog> {
  const store = await openStore(engine);
  const reading = readConfig({
    flags: {},
    env: { DATABASE_URL: store.databaseUrl },
    file: {},
    readFile: () => '',
  });
  if ('faults' in reading) throw new Error(reading.faults.join(' '));
  const context = await buildContext(reading.config, store.db);
  const remembered = new Map<string, Awaited<ReturnType<typeof findSourceOfSurvey>>>();
  const preparedOf = new Map<string, PreparedSurvey>();
  const apply = async (wanted: object): Promise<void> => {
    await applyFile(context, await readCatalogueFile(writeCatalogue(wanted), 'test'), false);
    remembered.clear();
    preparedOf.clear();
  };
  await apply(catalogue);
  return {
    ...store,
    apply,
    async item(body) {
      const { surveyDefinitionId: id } = body;
      if (!remembered.has(id)) remembered.set(id, await findSourceOfSurvey(store.db, id));
      const source = remembered.get(id);
      const survey = source?.surveys.find(({ definition }) => definition.id === id);
      const { draft } = readDraft(body);
      if (source == null || survey === undefined || draft === null)
        throw new Error('No such survey, or no body.');
      const prepared =
        preparedOf.get(id) ??
        prepareSurvey(
          survey.definition,
          source.kind === 'measure'
            ? { kind: 'measure', active: true }
            : { kind: 'project', status: 'ACTIVE' },
        );
      preparedOf.set(id, prepared);
      const { item, faults } = judgeDraft({ source, survey, prepared }, draft, JSON.stringify(body), {
        nowMs: context.now(),
        newId: context.newId,
      });
      if (item === null) throw new Error(JSON.stringify(faults));
      return item;
    },
  };
}
