// What the pages of a measure and of a project have in common.

import type { JSX } from 'preact';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { type AddressParts, requestPath } from '../../../src/domain/console/request-path.ts';
import { viewParameters } from '../../../src/domain/console/view-address.ts';
import { pathOfKind, type SourceKind } from '../../../src/domain/feedback/source-kind.ts';
import { carriedQuery, isFixed } from '../../frame/address.ts';
import type { Answer } from '../../frame/answers.ts';
import { Heading } from '../../frame/heading.tsx';
import { Problem } from '../../frame/problem.tsx';
import { RangeBar } from '../../frame/range-bar.tsx';
import { can } from '../../frame/session.ts';
import { view } from '../../frame/view.ts';
import type { SourceFacts } from './figures.ts';
import { insightTexts } from './texts.ts';

export interface SourceOf {
  readonly kind: SourceKind;
  readonly key: string;
}

/** What a panel of its own asks of the days and filters of the address. */
export function viewInput<More extends Readonly<Record<string, string>>>({ key }: SourceOf, more: More) {
  return { params: { key }, query: { ...viewParameters(view.value), ...more } };
}

/** The key of an operation and its input. */
export type ViewRequest = readonly [key: string, input: AddressParts];

/** Where the figures of a request are in the interface, and as a file. */
export function viewPaths([key, input]: ViewRequest): {
  readonly api: string;
  readonly csv: string;
} {
  const path = requestPath(key, input);
  return { api: `/v1${path}`, csv: `/console/api${path.replace('?', '.csv?')}` };
}

interface SourceHeadingProps {
  readonly of: SourceOf;
  readonly facts: Answer<SourceFacts>;
}

export function SourceHeading({ of, facts }: SourceHeadingProps): JSX.Element {
  const { t } = insightTexts;
  const query = carriedQuery();
  const params = { kind: pathOfKind[of.kind], key: of.key };
  const { data, error } = facts;
  return (
    <Heading
      title={data?.name ?? `${t[of.kind]} ${of.key}`}
      {...(isFixed.value ? {} : { over: <a href={pathOf('overview') + query}>{t.overview}</a> })}
      actions={
        <>
          {can('see responses') && (
            <>
              <a class="button small" href={pathOf('comments', params) + query}>
                {t.allComments}
              </a>
              <a class="button small" href={pathOf('responses', params) + query}>
                {t.allResponses}
              </a>
              <a class="button small" href={shareAddress(of, query)}>
                {t.shareLink}
              </a>
            </>
          )}
          {can('edit surveys') && (
            <a class="button small" href={pathOf('survey', params)}>
              {t.survey}
            </a>
          )}
        </>
      }
    >
      {error != null && <Problem error={error} retry={facts.reload} />}
      <RangeBar filterWords={(...filter) => filterWords(data, ...filter)} />
    </Heading>
  );
}

/** Where a link is made that shows what the page shows. */
function shareAddress({ kind, key }: SourceOf, query: string): string {
  return `${pathOf('views')}${query === '' ? '?' : `${query}&`}of=${kind}+${key}`;
}

/** A filter in the words of the survey. */
export function filterWords(
  facts: SourceFacts | null,
  operator: string,
  name: string,
  value: string,
): string {
  const { t } = insightTexts;
  const [kind, id = ''] = split(name);
  const said = t.operators[operator as keyof typeof t.operators] ?? operator;
  if (kind === 'question') {
    const question = facts?.questions.find((one) => one.id === id);
    // A replica of the release before tells no answers.
    const answer = question?.answers?.find((one) => one.id === value);
    return `${question?.name ?? id} ${said} ${answer?.text ?? (value.startsWith(`${id}-`) ? value.slice(id.length + 1) : value)}`;
  }
  if (kind === 'latent') return `${facts?.latents.find((one) => one.id === id)?.name ?? id} ${said} ${value}`;
  if (kind === 'weekday') return `${t.groups.weekday} ${said} ${t.weekdays[Number(value) - 1] ?? value}`;
  if (kind === 'cpp' || kind === 'epp') return `${id} ${said} ${value}`;
  const named: Readonly<Record<string, string>> = { ...t.groups, rating: t.rating, topic: t.topic };
  return `${named[kind] ?? name} ${said} ${value}`;
}

function split(name: string): readonly [string, string?] {
  const colon = name.indexOf(':');
  return colon < 0 ? [name] : [name.slice(0, colon), name.slice(colon + 1)];
}
