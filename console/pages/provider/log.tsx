// What providers did, in sentences; what went wrong, with what to do about it.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { agoText, momentText } from '../../formats.ts';
import { Problem } from '../../frame/problem.tsx';
import type { LogEntry, LogPage, LogQuery } from './place.ts';
import { useEvery } from './polling.ts';
import { requestWords } from './request-words.ts';
import { providerTexts } from './texts.ts';

const pageLength = 20;
const everyMs = 4_000;
const parts = ['changes', 'problems', 'all'] as const;

interface LogProps {
  readonly read: (query: LogQuery) => Promise<LogPage>;
  /** Counts up when something new came. */
  readonly round: number;
  /** Whether users and groups have pages that whoever reads may open. */
  readonly hasPages: boolean;
}

export function Log({ read, round, hasPages }: LogProps): JSX.Element {
  const { t } = providerTexts;
  const [part, setPart] = useState<(typeof parts)[number]>('all');
  const [after, setAfter] = useState<string | null>(null);
  const [page, setPage] = useState<LogPage | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = async (): Promise<void> => {
    try {
      setPage(await read({ limit: pageLength, show: part, after: after ?? undefined }));
      setError(null);
    } catch (failure) {
      setError(failure);
    }
  };
  useEffect(() => {
    void load();
  }, [part, after, round]);
  // Older pages stay as they are.
  useEvery(after === null ? everyMs : null, load);
  return (
    <>
      <p class="row">
        <label for="log-part">{t.logShow}</label>
        <select
          id="log-part"
          class="narrow"
          value={part}
          onChange={({ currentTarget }) => {
            setAfter(null);
            setPart(currentTarget.value as typeof part);
          }}
        >
          {parts.map((one) => (
            <option value={one}>{t.logParts[one]}</option>
          ))}
        </select>
      </p>
      {error !== null && <Problem error={error} retry={load} />}
      {page !== null && page.items.length === 0 && <p class="empty">{t.logEmpty}</p>}
      {page !== null && page.items.length > 0 && (
        <ul class="deeds">
          {page.items.map((entry) => (
            <Entry key={entry.id} entry={entry} hasPages={hasPages} />
          ))}
        </ul>
      )}
      {page !== null && (page.next !== null || after !== null) && (
        <p class="row">
          {after !== null && (
            <button type="button" class="small" onClick={() => setAfter(null)}>
              {t.newest}
            </button>
          )}
          {page.next !== null && (
            <button type="button" class="small" onClick={() => setAfter(page.next)}>
              {t.older}
            </button>
          )}
        </p>
      )}
    </>
  );
}

function Entry({ entry, hasPages }: { readonly entry: LogEntry; readonly hasPages: boolean }): JSX.Element {
  const { t } = providerTexts;
  const { refusal, subject, members, attributes } = entry;
  const link =
    hasPages && subject !== null && subject.id !== null ? pathOf(subject.kind, { id: subject.id }) : null;
  return (
    <li class={refusal === null ? '' : 'refused'}>
      <p>
        {link === null ? sentenceOf(entry) : <a href={link}>{sentenceOf(entry)}</a>}{' '}
        <time class="hint" dateTime={entry.at} title={momentText(entry.at)}>
          {agoText(entry.at)}
        </time>
      </p>
      {refusal !== null && <p class="remedy">{t.remedies[refusal.remedy]}</p>}
      <p class="hint">
        {[
          ...(attributes.length > 0 ? [t.changedAttributes(attributes.join(', '))] : []),
          ...(members !== null && members.joined > 0 ? [t.joined(members.joined)] : []),
          ...(members !== null && members.left === null ? [t.emptied] : []),
          ...(members?.left != null && members.left > 0 ? [t.left(members.left)] : []),
          ...(entry.isWithoutEffect ? [t.noEffect] : []),
        ].join(' ')}
      </p>
      <details>
        <summary>{t.details}</summary>
        <p>
          <code>
            {entry.method} {entry.path} {entry.status}
          </code>
        </p>
        {[entry.understood, entry.changed]
          .filter((words) => words !== null)
          .map((words) => (
            <p>{requestWords(words)}</p>
          ))}
        {refusal !== null && (
          <p>
            {t.inItsWords} <code>{refusal.code}</code> <q lang="en">{refusal.message}</q>
          </p>
        )}
        <p>
          {t.request} <code>{entry.id}</code>
        </p>
      </details>
    </li>
  );
}

function sentenceOf({ deed, subject, token, refusal }: LogEntry): string {
  const { t } = providerTexts;
  const who = token.name ?? t.someone;
  const isGroup = /Group/.test(deed);
  const nobody = isGroup ? t.aGroup : t.aUser;
  const gone = isGroup ? t.goneGroup : t.goneUser;
  const whom = subject === null ? nobody : (subject.name ?? gone);
  return refusal === null ? t.did[deed](who, whom) : t.didNot[deed](who, whom);
}
