// Scores or ratings by groups of responses. They are found by looking through the responses, so nothing is asked for until somebody
// has chosen what to group by.

import type { JSX } from 'preact';
import { writeFilter } from '../../../src/domain/console/view-address.ts';
import { pathOfKind } from '../../../src/domain/feedback/source-kind.ts';
import { numberText } from '../../formats.ts';
import { changeQuery, parameter } from '../../frame/address.ts';
import { useAnswer } from '../../frame/answers.ts';
import { Panel } from '../../frame/panel.tsx';
import { can } from '../../frame/session.ts';
import { DataTable } from '../../frame/table.tsx';
import { addFilter } from '../../frame/view.ts';
import {
  type Breakdown,
  type Figures,
  type Group,
  isShown,
  type Scale,
  type SourceFacts,
} from './figures.ts';
import { Honesty, Mean, scaleText, Whisker } from './parts.tsx';
import { type SourceOf, viewInput, viewPaths } from './source-page.tsx';
import { insightTexts } from './texts.ts';
import { digitsOf, meanText } from './words.ts';

interface BreakdownPanelProps {
  readonly of: SourceOf;
  readonly facts: SourceFacts | null;
  /** Of a measure: the latent whose scores are shown. */
  readonly latent: string | null;
  readonly scale: Scale;
}

export function BreakdownPanel({ of, facts, latent, scale }: BreakdownPanelProps): JSX.Element {
  const { t } = insightTexts;
  const by = parameter('by') ?? '';
  const request = [`GET /${pathOfKind[of.kind]}/:key/breakdown`, viewInput(of, { by })] as const;
  const answer = useAnswer(request[0], by === '' ? null : request[1]);
  const chooser = <Chooser facts={facts} by={by} />;
  if (by === '')
    return (
      <Panel title={t.breakdown} lead={t.breakdownLead}>
        {chooser}
      </Panel>
    );
  return (
    <Panel title={t.breakdown} lead={t.breakdownLead} answer={answer} {...viewPaths(request)}>
      {chooser}
      {answer.data !== null && (
        <Groups answer={answer.data} by={by} latent={latent} scale={scale} digits={digitsOf[of.kind]} />
      )}
    </Panel>
  );
}

function Chooser({ facts, by }: { readonly facts: SourceFacts | null; readonly by: string }): JSX.Element {
  const { t } = insightTexts;
  const isOpen = (type: string): boolean => type === 'TEXT' || type === 'TEXT_AREA';
  const questions = (facts?.questions ?? []).filter(
    ({ responseType }) => !isOpen(responseType) || can('see responses'),
  );
  const options = (names: readonly (readonly [value: string, text: string])[]) =>
    names.map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ));
  const { custom = [], external = [] } = facts?.parameters ?? {};
  return (
    <label class="chooser">
      {t.groupBy}
      <select
        value={by}
        onChange={({ currentTarget: { value } }) => changeQuery({ by: value === '' ? null : value })}
      >
        <option value="">{t.chooseGroup}</option>
        {custom.length > 0 && (
          <optgroup label={t.groupKinds.parameters}>
            {options(custom.map((name) => [`cpp:${name}`, name]))}
          </optgroup>
        )}
        {external.length > 0 && (
          <optgroup label={t.groupKinds.external}>
            {options(external.map((name) => [`epp:${name}`, name]))}
          </optgroup>
        )}
        <optgroup label={t.groupKinds.questions}>
          {options(questions.map(({ id, name }) => [`question:${id}`, name]))}
        </optgroup>
        <optgroup label={t.groupKinds.other}>{options(Object.entries(t.groups))}</optgroup>
      </select>
    </label>
  );
}

interface GroupsProps {
  readonly answer: Breakdown;
  readonly by: string;
  readonly latent: string | null;
  readonly scale: Scale;
  readonly digits: number;
}

function Groups({ answer, by, latent, scale, digits }: GroupsProps): JSX.Element {
  const { t } = insightTexts;
  const { groups, other, withheld } = answer;
  const figuresOf = (group: Pick<Group, 'latents' | 'rating'>): Figures =>
    group.rating ??
    group.latents?.find(({ id }) => id === latent) ?? {
      count: 0,
      mean: null,
      deviation: null,
      interval: null,
    };
  const nameOf = ({ value, label }: Group): string => {
    if (value === null) return t.noValue;
    return by === 'weekday' ? (t.weekdays[Number(value) - 1] ?? value) : (label ?? value);
  };
  const rows: readonly (Group | (NonNullable<typeof other> & { value?: undefined; label?: undefined }))[] = [
    ...groups,
    ...(other === null ? [] : [other]),
  ];
  const known = groups.filter((group: Group) => {
    const figures = figuresOf(group);
    return isShown(figures) && figures.mean !== null;
  });
  const ordered = known.toSorted((one, two) => meanOf(figuresOf(two)) - meanOf(figuresOf(one)));
  const said = (group: Group): string => `${nameOf(group)} (${meanText(figuresOf(group), digits)})`;
  return (
    <>
      {ordered.length > 1 && <p>{t.groupSentence(said(ordered[0]!), said(ordered.at(-1)!))}</p>}
      <DataTable
        caption={t.breakdown}
        rows={rows}
        empty={t.noResponses}
        columns={[
          {
            title: t.group,
            isHead: true,
            cell: (row) =>
              row.value === undefined ? (
                t.others(row.groups)
              ) : row.value === null ? (
                t.noValue
              ) : (
                <button
                  type="button"
                  class="quiet small link"
                  onClick={() => addFilter(writeFilter('is', by, row.value!))}
                >
                  {nameOf(row)}
                </button>
              ),
          },
          {
            title: t.score,
            isNumber: true,
            cell: (row) => <Mean figures={figuresOf(row)} digits={digits} />,
          },
          { title: scaleText(scale), cell: (row) => <Whisker figures={figuresOf(row)} scale={scale} /> },
          { title: t.responses, isNumber: true, cell: ({ count }) => numberText(count) },
        ]}
      />
      {withheld !== null && (
        <p class="hint">{t.groupsWithheld(numberText(withheld.groups), numberText(withheld.count))}</p>
      )}
      <Honesty
        answer={answer}
        isWithheld={withheld !== null || rows.some((row) => !isShown(figuresOf(row)))}
      />
    </>
  );
}

function meanOf(figures: Figures): number {
  return isShown(figures) ? (figures.mean ?? 0) : 0;
}
