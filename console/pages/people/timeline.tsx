// What happened to a user, in sentences.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { userPreload } from '../../../src/domain/console/page-preload/people.ts';
import { type AnswerTo, call } from '../../call.ts';
import { momentText } from '../../formats.ts';
import { useDoing } from '../../frame/action.tsx';
import { useAnswer } from '../../frame/answers.ts';
import { Panel } from '../../frame/panel.tsx';
import { Problem } from '../../frame/problem.tsx';
import { requestWords } from '../provider/request-words.ts';
import { noteText } from './note-text.ts';
import { actorText } from './parts.tsx';
import { people } from './texts.ts';

type TimelineEntry = AnswerTo<'GET /users/:id/timeline'>['items'][number];

export function Timeline({ id }: { readonly id: string }): JSX.Element {
  const { t: own } = people;
  const { timeline } = userPreload({ params: { id } });
  const { params, query } = timeline[1];
  const answer = useAnswer(...timeline);
  const [older, setOlder] = useState<readonly AnswerTo<'GET /users/:id/timeline'>[]>([]);
  const doing = useDoing();
  const pages = answer.data === null ? [] : [answer.data, ...older];
  const next = pages.at(-1)?.next ?? null;
  const entries = pages.flatMap(({ items }) => items);
  const more = async (): Promise<undefined> => {
    if (next === null) return;
    const page = await call('GET /users/:id/timeline', { params, query: { ...query, after: next } });
    setOlder([...older, page]);
  };
  return (
    <Panel title={own.timelineTitle} lead={own.timelineLead} answer={answer}>
      {entries.length === 0 && next === null && <p class="empty">{own.timelineEmpty}</p>}
      <ol class="timeline">
        {entries.map((entry) => (
          <li key={entry.id}>
            <time dateTime={entry.at}>{momentText(entry.at)}</time>
            <div>
              <p>{sentenceOf(entry)}</p>
              <Details entry={entry} />
            </div>
          </li>
        ))}
      </ol>
      {doing.error !== null && <Problem error={doing.error} />}
      {next !== null && (
        <p>
          <button type="button" class="small" aria-busy={doing.isBusy} onClick={() => doing.run(more)}>
            {own.older}
          </button>
        </p>
      )}
    </Panel>
  );
}

function sentenceOf({ change, group, request }: TimelineEntry): string {
  const { told, actions, gone, somebody } = people.t;
  const say = (name: string, who: string, what = ''): string => (told[name] ?? told.other!)(who, what);
  if (change === null)
    return say(request?.refused == null ? 'unchanged' : 'refused', request?.who ?? somebody);
  const who = actorText(change.actor);
  if (group !== null) return say(group.joined ? 'joined' : 'left', who, group.displayName ?? gone);
  const { action, attributes } = change;
  if (action.startsWith('role.')) return say(action, who, noteText(change));
  if (action === 'user.protect') return say(action, who, String(change.noteValues?.act ?? change.note ?? ''));
  if (action in told) return say(action, who, attributes.join(', '));
  return say('other', who, actions[action] ?? action);
}

/** What the provider asked for, as the service understood it; and from where a person came. */
function Details({ entry: { change, request } }: { readonly entry: TimelineEntry }): JSX.Element | null {
  const lines = [request?.understood, request?.changed].filter((line) => line != null);
  const refused = request?.refused ?? null;
  if (lines.length === 0 && refused === null) {
    const from = change?.from ?? null;
    return from === null ? null : <p class="hint">{from}</p>;
  }
  return (
    <details>
      <summary class="hint">{people.t.asked}</summary>
      {lines.map((line) => (
        <p key={line} class="hint">
          {requestWords(line)}
        </p>
      ))}
      {refused !== null && (
        <p class="hint" lang="en">
          {refused}
        </p>
      )}
    </details>
  );
}
