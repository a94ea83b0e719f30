// The responses of the days and filters of the address, newest first.

import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { responsesPreload } from '../../../src/domain/console/page-preload/reading.ts';
import { pathOfKind } from '../../../src/domain/feedback/source-kind.ts';
import { type AnswerTo, addressOf, call } from '../../call.ts';
import { momentText, numberText } from '../../formats.ts';
import { carriedQuery } from '../../frame/address.ts';
import { useAnswer } from '../../frame/answers.ts';
import { Heading } from '../../frame/heading.tsx';
import { Panel } from '../../frame/panel.tsx';
import { RangeBar } from '../../frame/range-bar.tsx';
import { type Column, DataTable } from '../../frame/table.tsx';
import { pagePlace, view } from '../../frame/view.ts';
import { language } from '../../language.ts';
import type { OfEither } from '../insight/figures.ts';
import { filterWords } from '../insight/source-page.tsx';
import { insightTexts } from '../insight/texts.ts';
import type { PageProps } from '../loaders.ts';
import { FileButton, Newer, sourceOfParams, WalkEnd } from './parts.tsx';
import { readingTexts } from './texts.ts';
import { useWalk } from './walk.ts';

export const texts = [insightTexts, readingTexts];

type ListedResponse = OfEither<
  AnswerTo<'GET /measures/:key/responses'>['items'][number],
  AnswerTo<'GET /projects/:key/responses'>['items'][number]
>;

export default function Responses({ params }: PageProps): JSX.Element {
  const { t } = readingTexts;
  const of = sourceOfParams(params);
  const requests = responsesPreload(pagePlace(params));
  const facts = useAnswer(...requests.facts);
  const cost = useAnswer(...requests.cost);
  const [key, input] = requests.responses;
  const { from, to, filters } = view.value;
  const file = addressOf(`${key}.csv`, input);
  const walk = useWalk<ListedResponse>(addressOf(key, input), (more) =>
    call(key, { ...input, query: { ...input.query, ...more } }),
  );
  const table = useRef<HTMLDivElement>(null);
  const name = facts.data?.name ?? of.key;
  const carried = carriedQuery();
  const latents = facts.data?.latents ?? [];
  const time: Column<ListedResponse> = {
    title: t.time,
    isHead: true,
    cell: ({ id, responseTime }) => (
      <a
        href={pathOf('response', { kind: pathOfKind[of.kind], key: of.key, id }) + carried}
        aria-label={t.openOf(momentText(responseTime))}
      >
        <time dateTime={responseTime}>{momentText(responseTime)}</time>
      </a>
    ),
  };
  const figures: readonly Column<ListedResponse>[] =
    of.kind === 'project'
      ? [
          { title: t.rating, isNumber: true, cell: ({ rating }) => rating ?? '–' },
          { title: t.topic, cell: ({ topic }) => topic ?? '–' },
        ]
      : latents.map(({ id, name: title }) => ({
          title,
          isNumber: true,
          cell: ({ scores = [] }) => {
            const score = scores.find((one) => one.id === id)?.score;
            return score === undefined ? '–' : numberText(score);
          },
        }));
  return (
    <>
      <Heading
        title={t.responses}
        tab={`${t.responses}: ${name}`}
        over={<a href={pathOf(of.kind, { key: of.key }) + carried}>{name}</a>}
        actions={<FileButton path={file} what={t.responses} />}
      >
        <RangeBar hasComparison={false} filterWords={(...filter) => filterWords(facts.data, ...filter)} />
      </Heading>
      <Panel
        title={t.responses}
        api={`/v1/${pathOfKind[of.kind]}/${of.key}/data?from=${from}&to=${to}`}
        lead={
          cost.data !== null && filters.length === 0
            ? t.size(numberText(cost.data.rows), bytesText(cost.data.bytes.estimate))
            : undefined
        }
      >
        <Newer walk={walk} />
        <div
          ref={table}
          class={walk.isFirst && walk.items.length > 0 ? 'old' : ''}
          aria-busy={walk.isLoading}
        >
          {(walk.items.length > 0 || (!walk.isLoading && walk.error == null && walk.next === null)) && (
            <DataTable
              caption={t.responses}
              rows={walk.items}
              keyOf={({ id }) => id}
              empty={t.noResponses}
              columns={[
                time,
                ...figures,
                { title: t.version, isNumber: true, cell: ({ version }) => version },
                { title: t.device, cell: ({ device }) => device ?? '–' },
                {
                  title: t.comment,
                  isLong: true,
                  cell: ({ comment, erased }) =>
                    erased ? (
                      <span class="badge off">{t.states.erased}</span>
                    ) : (
                      <div class="excerpt" dir="auto">
                        {comment}
                      </div>
                    ),
                },
              ]}
            />
          )}
          <WalkEnd
            walk={walk}
            onMore={(first) =>
              requestAnimationFrame(() =>
                table.current?.querySelectorAll<HTMLElement>('tbody a')[first]?.focus(),
              )
            }
          />
        </div>
      </Panel>
    </>
  );
}

function bytesText(bytes: number): string {
  const [unit, size] = bytes < 1e6 ? (['kilobyte', 1e3] as const) : (['megabyte', 1e6] as const);
  return (bytes / size).toLocaleString(language, { style: 'unit', unit, maximumSignificantDigits: 2 });
}
