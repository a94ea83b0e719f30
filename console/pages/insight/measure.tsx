// A measure: its score and course, its latents and what goes along with satisfaction, how every question was answered, groups,
// times and comments.

import type { JSX } from 'preact';
import { measurePreload } from '../../../src/domain/console/page-preload/figures.ts';
import { numberText } from '../../formats.ts';
import { changeQuery, parameter } from '../../frame/address.ts';
import { type Answer, useAnswer } from '../../frame/answers.ts';
import { Panel } from '../../frame/panel.tsx';
import { DataTable } from '../../frame/table.tsx';
import { pagePlace } from '../../frame/view.ts';
import type { PageProps } from '../loaders.ts';
import { AnswersPanel } from './answers-panel.tsx';
import { BreakdownPanel } from './breakdown-panel.tsx';
import { CommentsPanel } from './comments-panel.tsx';
import {
  type Driver,
  type Drivers,
  isShown,
  type LatentTrend,
  type SourceFacts,
  type Trend,
} from './figures.ts';
import { Change, Honesty, Mean, scaleText, Whisker, WithTable } from './parts.tsx';
import { SourceHeading, type SourceOf, type ViewRequest, viewPaths } from './source-page.tsx';
import { insightTexts } from './texts.ts';
import { TimesPanel } from './times-panel.tsx';
import { type Course, TrendPanel } from './trend-panel.tsx';
import { changeOf, digitsOf, intervalText } from './words.ts';

export const texts = [insightTexts];

const scale = { min: 0, max: 100 };

export default function Measure({ params }: PageProps): JSX.Element {
  const { t } = insightTexts;
  const requests = measurePreload(pagePlace(params));
  const of: SourceOf = { kind: 'measure', ...requests.facts[1].params };
  const facts = useAnswer(...requests.facts);
  const trend = useAnswer(...requests.trend);
  const distribution = useAnswer(...requests.distribution);
  const drivers = useAnswer(...requests.drivers);
  const latents = trend.data?.latents ?? [];
  const chosen = chosenLatent(latents);
  const course = courseOf(chosen, facts.data);
  return (
    <>
      <SourceHeading of={of} facts={facts} />
      <TrendPanel of={of} request={requests.trend} answer={trend} course={course} />
      <div class="grid">
        <LatentsPanel request={requests.trend} answer={trend} latents={latents} chosen={chosen?.id ?? null} />
        <DriversPanel request={requests.drivers} answer={drivers} />
      </div>
      <AnswersPanel
        request={requests.distribution}
        title={t.answers}
        lead={t.answersLead}
        answer={distribution}
        isIn={({ type }) => type === 'MQ'}
      />
      <AnswersPanel
        request={requests.distribution}
        title={t.custom}
        answer={distribution}
        isIn={({ type }) => type === 'CQ'}
      />
      <BreakdownPanel of={of} facts={facts.data} latent={chosen?.id ?? null} scale={scale} />
      <div class="grid">
        <TimesPanel request={requests.distribution} answer={distribution} />
        <CommentsPanel of={of} facts={facts.data} latent={chosen?.id ?? null} />
      </div>
    </>
  );
}

/** The one of the address, else satisfaction. */
function chosenLatent(latents: readonly LatentTrend[]): LatentTrend | null {
  const asked = parameter('latent');
  return (
    latents.find(({ id }) => id === asked) ??
    latents.find(({ type }) => type === 'SATISFACTION') ??
    latents[0] ??
    null
  );
}

function courseOf(latent: LatentTrend | null, facts: SourceFacts | null): Course | null {
  if (latent === null || facts === null) return null;
  const { id, name } = latent;
  return { id, name, trend: latent, scale, joined: facts.latents.find((one) => one.id === id)?.joined ?? [] };
}

interface LatentsPanelProps {
  readonly request: ViewRequest;
  readonly answer: Answer<Trend>;
  readonly latents: readonly LatentTrend[];
  readonly chosen: string | null;
}

function LatentsPanel({ request, answer, latents, chosen }: LatentsPanelProps): JSX.Element {
  const { t } = insightTexts;
  const digits = digitsOf.measure;
  return (
    <Panel title={t.latents} lead={t.latentsLead} answer={answer} {...viewPaths(request)}>
      <DataTable
        caption={t.latents}
        rows={latents}
        keyOf={({ id }) => id}
        empty={t.noResponses}
        columns={[
          {
            title: t.name,
            isHead: true,
            cell: ({ id, name }) => (
              <button
                type="button"
                class="quiet small link"
                aria-pressed={id === chosen}
                title={t.showCourse(name)}
                onClick={() => changeQuery({ latent: id })}
              >
                {name}
              </button>
            ),
          },
          { title: t.score, isNumber: true, cell: ({ total }) => <Mean figures={total} digits={digits} /> },
          { title: scaleText(scale), cell: ({ total }) => <Whisker figures={total} scale={scale} /> },
          ...(latents.every((latent) => changeOf(latent, digits) === null)
            ? []
            : [
                {
                  title: t.change,
                  cell: (latent: LatentTrend) => <Change change={changeOf(latent, digits)} />,
                },
              ]),
          {
            title: 'n',
            isNumber: true,
            cell: ({ total }) => (isShown(total) ? numberText(total.count) : '–'),
          },
        ]}
      />
    </Panel>
  );
}

function DriversPanel({
  request,
  answer,
}: {
  readonly request: ViewRequest;
  readonly answer: Answer<Drivers>;
}): JSX.Element {
  const { t } = insightTexts;
  const { data } = answer;
  const known = (data?.drivers ?? []).filter(({ correlation }) => correlation.value != null);
  return (
    <Panel title={t.drivers} lead={t.driversLead} answer={answer} {...viewPaths(request)}>
      {data !== null && known.length === 0 && <p class="empty">{t.driversNone}</p>}
      {data !== null && known.length > 0 && (
        <>
          <WithTable
            sentence={t.driverSentence(known[0]!.name, numberText(known[0]!.correlation.value ?? 0, 2))}
            table={() => <DriverTable drivers={known} />}
          >
            <ul class="bars">
              {known.map(({ id, name, correlation }) => {
                const value = correlation.value ?? 0;
                return (
                  <li key={id}>
                    <div>
                      <span class="what">{name}</span>
                      <span class="track">
                        <span
                          class={value < 0 ? 'against' : ''}
                          style={{ inlineSize: `${Math.abs(value) * 100}%` }}
                        />
                      </span>
                      <span class="share">{numberText(value, 2)}</span>
                      <small />
                    </div>
                  </li>
                );
              })}
            </ul>
          </WithTable>
          <Honesty answer={data} isWithheld={known.length < data.drivers.length} />
        </>
      )}
    </Panel>
  );
}

function DriverTable({ drivers }: { readonly drivers: readonly Driver[] }): JSX.Element {
  const { t } = insightTexts;
  return (
    <DataTable
      caption={t.drivers}
      rows={drivers}
      columns={[
        { title: t.name, isHead: true, cell: ({ name }) => name },
        {
          title: t.correlation,
          isNumber: true,
          cell: ({ correlation }) => numberText(correlation.value ?? 0, 2),
        },
        {
          title: t.interval,
          isNumber: true,
          cell: ({ correlation }) =>
            correlation.interval == null ? '–' : intervalText(correlation.interval, 2),
        },
        {
          title: 'n',
          isNumber: true,
          cell: ({ correlation: { count } }) => (count === undefined ? '–' : numberText(count)),
        },
      ]}
    />
  );
}
