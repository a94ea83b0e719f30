// Every measure and project of the account: a row each.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { overviewPreload } from '../../../src/domain/console/page-preload/overview.ts';
import { pathOfKind } from '../../../src/domain/feedback/source-kind.ts';
import { addressOf, type CallInput, call } from '../../call.ts';
import { agoText, dayWords, momentText, numberText } from '../../formats.ts';
import { carriedQuery } from '../../frame/address.ts';
import { useAnswer } from '../../frame/answers.ts';
import { Heading } from '../../frame/heading.tsx';
import { Panel } from '../../frame/panel.tsx';
import { RangeBar } from '../../frame/range-bar.tsx';
import { can, session } from '../../frame/session.ts';
import { pagePlace } from '../../frame/view.ts';
import { Sparkline } from './chart.tsx';
import type { Overview, OverviewRow } from './figures.ts';
import { Change, Mean } from './parts.tsx';
import { Starters } from './starters.tsx';
import { insightTexts } from './texts.ts';
import { changeOf, digitsOf } from './words.ts';

export const texts = [insightTexts];

export default function OverviewPage(): JSX.Element {
  const { t } = insightTexts;
  const { overview } = overviewPreload(pagePlace({}));
  const [, input] = overview;
  const answer = useAnswer(...overview);
  const { data } = answer;
  const further = useFurther(input, data);
  const items = [...(data?.items ?? []), ...further.items];
  return (
    <>
      <Heading title={t.overview} over={session.value.account?.name}>
        <RangeBar />
      </Heading>
      {data !== null && items.length === 0 ? (
        <Panel title={t.emptyTitle} lead={can('edit surveys') ? t.empty : t.emptyViewer}>
          {can('edit surveys') && <Starters />}
        </Panel>
      ) : (
        <Panel
          title={summaryOf(items)}
          answer={answer}
          api={apiOf(items, input.query)}
          class="flush"
          lead={comparedWords(data)}
        >
          {data !== null && <Rows items={items} answer={data} />}
          {further.next !== null && (
            <p>
              <button type="button" onClick={further.more} aria-busy={further.isBusy}>
                {t.more}
              </button>
            </p>
          )}
        </Panel>
      )}
    </>
  );
}

/** The interface tells each by itself: the call is that of the first. */
function apiOf([first]: readonly OverviewRow[], query: Record<string, string>): string | undefined {
  return first && `/v1/${pathOfKind[first.kind]}/${first.key}/trend?${new URLSearchParams(query)}`;
}

/** Further pages, asked for by hand. */
function useFurther(input: CallInput<'GET /overview'>, first: Overview | null) {
  const path = addressOf('GET /overview', input);
  const [state, setState] = useState<{ of: string; items: readonly OverviewRow[]; next: string | null }>({
    of: '',
    items: [],
    next: null,
  });
  const [isBusy, setBusy] = useState(false);
  const isOfPath = state.of === path;
  const items = isOfPath ? state.items : [];
  const next = isOfPath ? state.next : (first?.next ?? null);
  const more = async (): Promise<void> => {
    if (isBusy || next === null) return;
    setBusy(true);
    try {
      const page = await call('GET /overview', { query: { ...input.query!, after: next } });
      setState({ of: path, items: [...items, ...page.items], next: page.next });
    } finally {
      setBusy(false);
    }
  };
  return { items, next, more, isBusy };
}

/** What there is to know before the rows are read. */
function summaryOf(items: readonly OverviewRow[]): string {
  const { t } = insightTexts;
  const count = (direction: string): number =>
    items.filter(
      ({ trend, kind }) => trend !== null && changeOf(trend, digitsOf[kind])?.direction === direction,
    ).length;
  const words = t.summary(count('up'), count('down'), count('unclear'));
  return words === '' ? t.score : words;
}

function comparedWords(data: Overview | null): string | undefined {
  const compared = data?.compared;
  return compared && insightTexts.t.comparedWith(dayWords(compared.from, 'short'), dayWords(compared.to));
}

function Rows({
  items,
  answer,
}: {
  readonly items: readonly OverviewRow[];
  readonly answer: Overview;
}): JSX.Element {
  const { t } = insightTexts;
  const maySeeRefused = items.some(({ refusedToday }) => refusedToday !== null);
  return (
    <table class="table wide">
      <caption class="unseen">{t.overview}</caption>
      <thead>
        <tr>
          <th scope="col">{t.name}</th>
          <th scope="col" class="number">
            {t.score}
          </th>
          <th scope="col">{t.change}</th>
          <th scope="col">{t.course}</th>
          <th scope="col" class="number">
            {t.responses}
          </th>
          <th scope="col">{t.lastResponse}</th>
          {maySeeRefused && (
            <th scope="col" class="number">
              {t.refusedToday}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row key={`${item.kind} ${item.key}`} item={item} answer={answer} maySeeRefused={maySeeRefused} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly item: OverviewRow;
  readonly answer: Overview;
  readonly maySeeRefused: boolean;
}

function Row({ item, answer, maySeeRefused }: RowProps): JSX.Element {
  const { t } = insightTexts;
  const { kind, key, name, active, version, figure, trend, responses, reached, lastResponse, refusedToday } =
    item;
  const digits = digitsOf[kind];
  return (
    <tr>
      <th scope="row">
        <a href={pathOf(kind, { key: String(key) }) + carriedQuery()}>{name}</a>
        <small>
          {t[kind]}
          {version !== null && ` · ${t.version(version)}`}
          {figure !== null && kind === 'measure' && ` · ${figure.name}`}
          {!active && ` · ${t.off}`}
        </small>
      </th>
      <td class="number">
        {reached !== undefined ? (
          <small>{t.reached(numberText(reached.added), numberText(reached.of))}</small>
        ) : trend === null ? (
          <span class="hint">{t.noFigure}</span>
        ) : (
          <Mean figures={trend.total} digits={digits} />
        )}
      </td>
      <td>{trend !== null && <Change change={changeOf(trend, digits)} />}</td>
      <td>
        {trend !== null && figure !== null && (
          <Sparkline
            points={trend.points}
            joined={figure.joined}
            range={answer}
            scale={figure.scale ?? { min: 0, max: 100 }}
          />
        )}
      </td>
      <td class="number">
        <span class="label">{t.responses}</span>
        {responses === undefined ? '–' : numberText(responses)}
      </td>
      <td>
        <span class="label">{t.lastResponse}</span>
        {lastResponse === null ? (
          <span class="hint">{t.never}</span>
        ) : (
          <time dateTime={lastResponse} title={momentText(lastResponse)}>
            {agoText(lastResponse)}
          </time>
        )}
      </td>
      {maySeeRefused && (
        <td class={refusedToday === 0 ? 'number zero' : 'number'}>
          <span class="label">{t.refusedToday}</span>
          {refusedToday === null || refusedToday === 0 ? (
            <span class="hint">{refusedToday ?? '–'}</span>
          ) : (
            <a class="badge bad" href={pathOf('refused')}>
              {numberText(refusedToday)}
            </a>
          )}
        </td>
      )}
    </tr>
  );
}
