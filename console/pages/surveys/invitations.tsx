// Invitations from a list of people. The links are shown to whoever made them, once.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pathOfKind } from '../../../src/domain/feedback/source-kind.ts';
import { type AnswerTo, addressOf, send } from '../../call.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { forget, useAnswer } from '../../frame/answers.ts';
import { Field } from '../../frame/field.tsx';
import { Panel } from '../../frame/panel.tsx';
import { DataTable } from '../../frame/table.tsx';
import { firstLinks, headerOf } from './list-header.ts';
import { Check, type SharedSurvey, type SourcePlace } from './parts.tsx';
import { counted, dayWords, momentWords, numberText, surveyTexts } from './texts.ts';

type MadeInvitations = AnswerTo<'GET /surveys/measures/:key/invitations'>;

/** Columns of a list of links, which is the list of reminders. */
const ownColumns = ['invitationId', 'link', 'expires'];

interface Made {
  readonly count: number;
  readonly url: string;
  readonly first: readonly string[];
}

export function Invitations({
  survey,
  place,
}: {
  readonly survey: SharedSurvey;
  readonly place: SourcePlace;
}): JSX.Element {
  const { t } = surveyTexts;
  const path = `/surveys/${pathOfKind[place.kind]}/:key/invitations` as const;
  const params = { key: place.key };
  const answer = useAnswer(`GET ${path}`, { params });
  // Not a state: whoever presses the button at once means the file that was just chosen.
  const file = useRef<File | null>(null);
  const [others, setOthers] = useState<readonly string[]>([]);
  const [left, setLeft] = useState<readonly string[]>([]);
  const [days, setDays] = useState('90');
  const [isForSpreadsheet, setForSpreadsheet] = useState(true);
  const [made, setMade] = useState<Made | null>(null);
  const doing = useDoing();
  useEffect(() => () => made === null || URL.revokeObjectURL(made.url), [made]);

  const choose = async (chosen: File | null): Promise<void> => {
    doing.clear();
    setMade(null);
    setLeft([]);
    file.current = chosen;
    const columns =
      chosen === null ? [] : headerOf(new Uint8Array(await chosen.slice(0, 65_536).arrayBuffer()));
    setOthers(columns.filter((column) => ![...survey.parameters, ...ownColumns].includes(column)));
  };
  const make = (): Promise<boolean> =>
    doing.run(async () => {
      if (file.current === null) return undefined;
      const copy = others.filter((column) => !left.includes(column)).map(encodeURIComponent);
      const query = {
        ...{ days, spreadsheet: isForSpreadsheet },
        ...(copy.length > 0 && { copy: copy.join(';') }),
      };
      const sent = { type: 'text/csv', content: file.current };
      const links = await (await send(`POST ${path}`, [{ params, query }], sent)).text();
      setMade({
        count: links.split(/\?i=/).length - 1,
        url: URL.createObjectURL(new Blob([links], { type: 'text/csv' })),
        first: firstLinks(links, 5),
      });
      forget(addressOf(`GET ${path}`, { params }));
      return undefined;
    });
  return (
    <Panel title={t.invitationsTitle} lead={t.invitationsLead}>
      <form
        class="list-form"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <Field
          label={t.list}
          hint={survey.parameters.length === 0 ? t.listHintNone : t.listHint(survey.parameters.join(', '))}
        >
          {(ids) => (
            <input
              {...ids}
              type="file"
              accept=".csv,text/csv"
              required
              onChange={({ currentTarget }) => void choose(currentTarget.files?.[0] ?? null)}
            />
          )}
        </Field>
        {others.length > 0 && (
          <fieldset>
            <legend>{t.copied}</legend>
            <p class="hint">{t.copiedHint}</p>
            {others.map((column) => (
              <Check
                key={column}
                label={column}
                isOn={!left.includes(column)}
                onChange={(isOn) => setLeft(isOn ? left.filter((one) => one !== column) : [...left, column])}
              />
            ))}
          </fieldset>
        )}
        <Field label={t.daysGood}>
          {(ids) => (
            <input
              {...ids}
              type="number"
              min={1}
              max={400}
              required
              value={days}
              onInput={({ currentTarget }) => setDays(currentTarget.value)}
            />
          )}
        </Field>
        <Check label={t.spreadsheet} isOn={isForSpreadsheet} onChange={setForSpreadsheet} />
        <p>
          <button type="submit" aria-busy={doing.isBusy}>
            {t.make}
          </button>
        </p>
      </form>
      <Outcome doing={doing} />
      {made !== null && (
        <div class="good stack" role="status">
          <p>
            <strong>{counted(t.madeLinks, made.count)}</strong> {t.madeOnce}
          </p>
          <p>
            <a class="button primary" href={made.url} download={`links-${survey.surveyId}.csv`}>
              {t.download}
            </a>
          </p>
          <details>
            <summary>{t.firstLinks}</summary>
            <ul>
              {made.first.map((link) => (
                <li key={link}>
                  <code>{link}</code>
                </li>
              ))}
            </ul>
          </details>
        </div>
      )}
      <MadeSoFar data={answer.data} />
    </Panel>
  );
}

function MadeSoFar({ data }: { readonly data: MadeInvitations | null }): JSX.Element | null {
  const { t } = surveyTexts;
  if (data === null) return null;
  if (data.invited === 0) return <p class="hint">{t.noneMade}</p>;
  const invited = numberText(data.invited);
  return (
    <>
      <dl class="tally">
        <div>
          <dt>{t.invited}</dt>
          <dd>{data.isWhole ? invited : t.atLeast(invited)}</dd>
        </div>
        <div>
          <dt>{t.answered}</dt>
          <dd>{data.answered === null ? t.answeredUnknown : numberText(data.answered)}</dd>
        </div>
      </dl>
      <details>
        <summary>{t.invitationsMade}</summary>
        <DataTable
          caption={t.invitationsMade}
          rows={data.items}
          columns={[
            { title: t.when, isHead: true, cell: ({ at }) => momentWords(at) },
            { title: t.invited, isNumber: true, cell: (one) => numberText(one.invited) },
            { title: t.goodUntil, cell: ({ expires }) => dayWords(expires) },
            { title: t.by, cell: ({ by }) => by ?? '' },
          ]}
        />
      </details>
    </>
  );
}
