// Shared views: links that show figures to people without an account. A page of figures leads here with what it shows.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { viewsPreload } from '../../../src/domain/console/page-preload/reading.ts';
import { viewParameters } from '../../../src/domain/console/view-address.ts';
import { pathOfKind, sourceKinds } from '../../../src/domain/feedback/source-kind.ts';
import { call, Refusal } from '../../call.ts';
import { agoText, dayWords, momentText } from '../../formats.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { changeQuery, parameter } from '../../frame/address.ts';
import { useAnswer } from '../../frame/answers.ts';
import { Confirm } from '../../frame/confirm.tsx';
import { CopyButton } from '../../frame/copy.tsx';
import { Field } from '../../frame/field.tsx';
import { Heading } from '../../frame/heading.tsx';
import { Panel } from '../../frame/panel.tsx';
import { RangeBar } from '../../frame/range-bar.tsx';
import { DataTable } from '../../frame/table.tsx';
import { view } from '../../frame/view.ts';
import { filterWords } from '../insight/source-page.tsx';
import { insightTexts } from '../insight/texts.ts';
import { readingTexts } from './texts.ts';

export const texts = [insightTexts, readingTexts];

export default function Views(): JSX.Element {
  const { t } = readingTexts;
  const requests = viewsPreload();
  const views = useAnswer(...requests.views);
  const sources = useAnswer(...requests.sources);
  const named = new Map(
    (['measure', 'project'] as const).flatMap((kind) =>
      (sources.data?.[`${kind}s`] ?? []).map(({ key, name }) => [`${kind} ${key}`, name] as const),
    ),
  );
  return (
    <>
      <Heading title={t.views}>
        <p class="lead">{t.viewsLead}</p>
      </Heading>
      {(sources.data === null || named.size > 0) && <NewView named={named} onMade={views.reload} />}
      <Panel title={t.views} answer={views}>
        <DataTable
          caption={t.views}
          rows={views.data?.items.toReversed() ?? []}
          keyOf={({ id }) => id}
          empty={t.noViews}
          columns={[
            { title: t.viewName, isHead: true, cell: ({ name }) => name },
            {
              title: t.what,
              cell: ({ kind, key, from, to }) => (
                <a href={`${pathOf(kind, { key: String(key) })}?from=${from}&to=${to}`}>
                  {named.get(`${kind} ${key}`) ?? key}
                </a>
              ),
            },
            {
              title: t.days,
              cell: ({ from, to, filter }) => (
                <>
                  {dayWords(from, 'short')} – {dayWords(to)}{' '}
                  {filter !== null && <span class="badge off">{t.filtered}</span>}
                </>
              ),
            },
            { title: t.sharedBy, cell: ({ createdBy, createdByName }) => createdByName ?? createdBy },
            {
              title: t.until,
              cell: ({ expiresAt, end }) =>
                end === null ? momentText(expiresAt) : <span class="badge off">{t.ends[end]}</span>,
            },
            {
              title: t.lastOpened,
              cell: ({ usedAt }) => (usedAt === null ? t.never : agoText(usedAt)),
            },
            {
              title: t.revoke,
              isTitleUnseen: true,
              cell: ({ id, end }) =>
                end === null && (
                  <Confirm
                    label={t.revoke}
                    title={t.revokeTitle}
                    question={t.revokeQuestion}
                    isDangerous
                    run={async () => {
                      await call('DELETE /views/:id', { params: { id } });
                      await views.reload();
                      return t.revoked;
                    }}
                  />
                ),
            },
          ]}
        />
      </Panel>
    </>
  );
}

interface NewViewProps {
  readonly named: ReadonlyMap<string, string>;
  readonly onMade: () => Promise<void>;
}

const nameMax = 100;

function NewView({ named, onMade }: NewViewProps): JSX.Element {
  const { t } = readingTexts;
  const doing = useDoing();
  const [name, setName] = useState<string | null>(null);
  const [span, setSpan] = useState('30');
  const [url, setUrl] = useState<string | null>(null);
  const of = parameter('of') ?? [...named.keys()][0] ?? '';
  const [ofKind, key = ''] = of.split(' ');
  const kind = sourceKinds.find((one) => one === ofKind);
  const shownName = name ?? (named.get(of) ?? '').slice(0, nameMax);
  const facts = useAnswer(
    `GET /${pathOfKind[kind ?? 'measure']}/:key`,
    kind === undefined || view.value.filters.length === 0 ? null : { params: { key } },
  );
  const faultOf = (field: string): string | null =>
    doing.error instanceof Refusal
      ? (doing.error.faults.find((fault) => fault.field === field)?.message ?? null)
      : null;
  return (
    <Panel title={t.newView}>
      <RangeBar filterWords={(...filter) => filterWords(facts.data, ...filter)} />
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void doing.run(async () => {
            if (kind === undefined) return undefined;
            const made = await call('POST /views', {
              body: {
                ...viewParameters(view.value, { hasComparison: true }),
                name: shownName.trim(),
                kind,
                key: Number(key),
                days: Number(span),
              },
            });
            setUrl(made.url);
            await onMade();
            return undefined;
          });
        }}
      >
        <div class="find">
          <Field label={t.what}>
            {(ids) => (
              <select
                {...ids}
                value={of}
                onChange={({ currentTarget: { value } }) => changeQuery({ of: value })}
              >
                {[...named].map(([value, label]) => (
                  <option value={value}>{label}</option>
                ))}
              </select>
            )}
          </Field>
          <Field label={t.viewName} fault={faultOf('name')}>
            {(ids) => (
              <input
                {...ids}
                required
                maxLength={nameMax}
                value={shownName}
                onInput={({ currentTarget: { value } }) => setName(value)}
              />
            )}
          </Field>
          <Field label={t.validFor}>
            {(ids) => (
              <select {...ids} value={span} onChange={({ currentTarget: { value } }) => setSpan(value)}>
                {Object.entries(t.spans).map(([value, label]) => (
                  <option value={value}>{label}</option>
                ))}
              </select>
            )}
          </Field>
          <button type="submit" class="primary" aria-busy={doing.isBusy}>
            {t.create}
          </button>
        </div>
        <Outcome doing={doing} />
      </form>
      <div aria-live="polite">
        {url !== null && (
          <div class="stack">
            <h3>{t.madeTitle}</h3>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
            <pre tabIndex={0}>
              <code>{url}</code>
            </pre>
            <p class="row">
              <CopyButton text={url} />
              <span class="hint">{t.madeNote}</span>
            </p>
          </div>
        )}
      </div>
    </Panel>
  );
}
