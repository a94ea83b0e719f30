// What people wrote: searched, narrowed, read one after the other by j and k, each leading to its response.

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { commentsPreload } from '../../../src/domain/console/page-preload/reading.ts';
import { pathOfKind } from '../../../src/domain/feedback/source-kind.ts';
import { addressOf, call } from '../../call.ts';
import { momentText, numberText } from '../../formats.ts';
import { carriedQuery, changeQuery, parameter } from '../../frame/address.ts';
import { useAnswer } from '../../frame/answers.ts';
import { Heading } from '../../frame/heading.tsx';
import { useKeys } from '../../frame/keys.ts';
import { Panel } from '../../frame/panel.tsx';
import { RangeBar } from '../../frame/range-bar.tsx';
import { pagePlace, view } from '../../frame/view.ts';
import type { Comment, SourceFacts } from '../insight/figures.ts';
import { filterWords, type SourceOf } from '../insight/source-page.tsx';
import { insightTexts } from '../insight/texts.ts';
import type { PageProps } from '../loaders.ts';
import { FileButton, Newer, sourceOfParams, WalkEnd } from './parts.tsx';
import { readingTexts } from './texts.ts';
import { useWalk } from './walk.ts';

export const texts = [insightTexts, readingTexts];

export default function Comments({ params }: PageProps): JSX.Element {
  const { t } = readingTexts;
  const of = sourceOfParams(params);
  const requests = commentsPreload(pagePlace(params));
  const facts = useAnswer(...requests.facts);
  const q = parameter('q') ?? '';
  const question = parameter('question') ?? '';
  const [key, input] = requests.comments;
  const file = addressOf(`${key}.csv`, input);
  const walk = useWalk<Comment>(addressOf(key, input), (more) =>
    call(key, { ...input, query: { ...input.query, ...more } }),
  );
  const list = useRef<HTMLOListElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const links = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>('a.open') ?? [])];
  const focusAt = (index: number): void => {
    const link = links()[index];
    link?.focus();
    link?.closest('li')?.scrollIntoView({ block: 'nearest' });
  };
  const step = async (by: 1 | -1): Promise<void> => {
    const all = links();
    const at = all.findIndex((link) => link.closest('li')?.contains(document.activeElement));
    if (by === 1 && at === all.length - 1 && walk.next !== null) {
      await walk.more();
      requestAnimationFrame(() => focusAt(at + 1));
    } else focusAt(Math.max(0, at + by));
  };
  useKeys([
    { keys: 'j', label: t.keyNext, run: () => void step(1) },
    { keys: 'k', label: t.keyPrevious, run: () => void step(-1) },
    { keys: '/', label: t.keySearch, run: () => field.current?.focus() },
  ]);
  // Back leads to what was searched before: the field says it too.
  useEffect(() => {
    if (field.current !== null && document.activeElement !== field.current) field.current.value = q;
  }, [q]);
  const name = facts.data?.name ?? of.key;
  const open = facts.data?.questions.filter(({ responseType }) => /^TEXT/.test(responseType)) ?? [];
  return (
    <>
      <Heading
        title={t.comments}
        tab={`${t.comments}: ${name}`}
        over={<a href={pathOf(of.kind, { key: of.key }) + carriedQuery()}>{name}</a>}
        actions={<FileButton path={file} what={t.comments} />}
      >
        <RangeBar hasComparison={false} filterWords={(...filter) => filterWords(facts.data, ...filter)} />
      </Heading>
      <Panel title={t.searchComments} api={`/v1${addressOf(key, input)}`}>
        <form
          class="find"
          onSubmit={(event) => {
            event.preventDefault();
            changeQuery({ q: field.current!.value === '' ? null : field.current!.value });
          }}
        >
          <div class="field">
            <label for="comment-search">{t.search}</label>
            <input id="comment-search" ref={field} type="search" maxLength={200} defaultValue={q} />
          </div>
          <div class="field">
            <label for="comment-question">{t.question}</label>
            <select
              id="comment-question"
              value={question}
              onChange={({ currentTarget: { value } }) =>
                changeQuery({ question: value === '' ? null : value })
              }
            >
              <option value="">{t.allQuestions}</option>
              {open.map(({ id, name: label }) => (
                <option value={id}>{label}</option>
              ))}
            </select>
          </div>
          <button type="submit">{t.search}</button>
        </form>
        <Newer walk={walk} />
        <div class={walk.isFirst && walk.items.length > 0 ? 'old' : ''} aria-busy={walk.isLoading}>
          {walk.items.length === 0 && !walk.isLoading && walk.error == null && walk.next === null && (
            <div class="empty">
              <p>{q === '' && view.value.filters.length === 0 ? t.noComments : t.noCommentsFound}</p>
              {q !== '' && (
                <p>
                  <button type="button" class="small" onClick={() => changeQuery({ q: null })}>
                    {t.clearSearch}
                  </button>
                </p>
              )}
            </div>
          )}
          <ol class="reading" ref={list}>
            {walk.items.map((comment) => (
              <CommentItem
                key={`${comment.id} ${comment.question}`}
                of={of}
                comment={comment}
                facts={facts.data}
              />
            ))}
          </ol>
          <p class="unseen" aria-live="polite">
            {walk.isLoading ? '' : t.shownCount(numberText(walk.items.length))}
          </p>
          <WalkEnd walk={walk} onMore={(first) => requestAnimationFrame(() => focusAt(first))} />
        </div>
      </Panel>
    </>
  );
}

interface CommentItemProps {
  readonly of: SourceOf;
  readonly comment: Comment;
  readonly facts: SourceFacts | null;
}

function CommentItem({ of, comment, facts }: CommentItemProps): JSX.Element {
  const { t } = readingTexts;
  const { id, responseTime, version, question, text, hits, scores, rating, topic } = comment;
  const first = facts?.latents.find(({ type }) => type === 'SATISFACTION') ?? facts?.latents[0];
  const score = scores?.find((one) => one.id === first?.id)?.score ?? scores?.[0]?.score ?? null;
  const asked = facts?.questions.find((one) => one.id === question)?.name ?? question;
  const href = pathOf('response', { kind: pathOfKind[of.kind], key: of.key, id }) + carriedQuery();
  return (
    <li>
      <p class="text" dir="auto">
        <Marked text={text} hits={hits} />
      </p>
      <p class="row hint">
        {score !== null && <span class="badge">{numberText(score)}</span>}
        {rating != null && <span class="badge">{rating}</span>}
        {topic != null && <span>{topic}</span>}
        <span>{asked}</span>
        <span>{t.versionOf(version)}</span>
        <a class="open" href={href} aria-label={t.openOf(momentText(responseTime))}>
          <time dateTime={responseTime}>{momentText(responseTime)}</time>
        </a>
      </p>
    </li>
  );
}

/** The text with what was searched for marked, by its places. */
function Marked({ text, hits }: Pick<Comment, 'text' | 'hits'>): JSX.Element {
  const pieces: (string | JSX.Element)[] = [];
  let at = 0;
  for (const [begin, end] of hits) {
    if (begin < at) continue;
    pieces.push(text.slice(at, begin), <mark>{text.slice(begin, end)}</mark>);
    at = end;
  }
  return (
    <>
      {pieces}
      {text.slice(at)}
    </>
  );
}
