// What the pages about people share.

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Role } from '../../../src/domain/access/role.ts';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import type { AnswerTo } from '../../call.ts';
import { momentText, numberText } from '../../formats.ts';
import { changeQuery, parameter } from '../../frame/address.ts';
import { CopyButton } from '../../frame/copy.tsx';
import { t } from '../../person-texts.ts';
import { people } from './texts.ts';

export function RoleBadges({ roles }: { readonly roles: readonly Role[] }): JSX.Element | null {
  if (roles.length === 0) return <span class="hint once">{people.t.noRole}</span>;
  return (
    <span class="row">
      {roles.map((role) => (
        <span key={role} class="badge">
          {t.roles[role]}
        </span>
      ))}
    </span>
  );
}

export function StateBadge({ isActive }: { readonly isActive: boolean }): JSX.Element {
  const { states } = people.t;
  return <span class={`badge ${isActive ? '' : 'bad'}`}>{isActive ? states.active : states.suspended}</span>;
}

/** Whoever did something, as it is shown: the name, or what the log calls them. */
export function actorText({ id, name }: { readonly id: string; readonly name: string | null }): string {
  if (id === 'command line') return people.t.commandLine;
  return name ?? id;
}

export function granterText(grant: {
  readonly grantedBy?: string;
  readonly grantedByName?: string | null;
}): string {
  return actorText({ id: grant.grantedBy ?? '', name: grant.grantedByName ?? null });
}

/** A field to search by: the address follows what is typed, a moment behind. */
export function SearchField({ name, label }: { readonly name: string; readonly label: string }): JSX.Element {
  const said = parameter(name) ?? '';
  const [typed, setTyped] = useState(said);
  useEffect(() => setTyped(said), [said]);
  useEffect(() => {
    if (typed.trim() === said) return;
    const timer = setTimeout(
      () => changeQuery({ [name]: typed.trim() || null, start: null, after: null }, { isReplacing: true }),
      250,
    );
    return () => clearTimeout(timer);
  }, [typed, said]);
  return (
    <div class="field">
      <label for={`by-${name}`}>{label}</label>
      <input
        id={`by-${name}`}
        type="search"
        autocomplete="off"
        maxLength={200}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </div>
  );
}

/** A choice that stands in the address. */
export function QuerySelect({
  name,
  label,
  options,
  usual = '',
}: {
  readonly name: string;
  readonly label: string;
  readonly options: Readonly<Record<string, string>>;
  /** What is so when the address says nothing. */
  readonly usual?: string;
}): JSX.Element {
  return (
    <div class="field">
      <label for={`by-${name}`}>{label}</label>
      <select
        id={`by-${name}`}
        value={parameter(name) ?? usual}
        onChange={({ currentTarget: { value } }) =>
          changeQuery({ [name]: value === usual ? null : value, start: null, after: null })
        }
      >
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Which of how many are shown, and the pages beside. */
export function WindowPages({
  start,
  shown,
  total,
  size,
}: {
  readonly start: number;
  readonly shown: number;
  readonly total: number;
  readonly size: number;
}): JSX.Element | null {
  const { t: own } = people;
  if (total === 0) return null;
  const to = (first: number) => () => changeQuery({ start: first <= 1 ? null : String(first) });
  return (
    <nav class="row between" aria-label={own.pages}>
      <p class="hint" aria-live="polite">
        {own.shownOf(numberText(start), numberText(start + shown - 1), numberText(total))}
      </p>
      {total > size && (
        <div class="row">
          <button type="button" class="small" disabled={start <= 1} onClick={to(start - size)}>
            {own.before}
          </button>
          <button type="button" class="small" disabled={start + shown > total} onClick={to(start + size)}>
            {own.next}
          </button>
        </div>
      )}
    </nav>
  );
}

/** Of a list that says only where its next page begins: that page, and the first one, also for whoever came by a link to a later one. */
export function NextPages({ next }: { readonly next: string | null }): JSX.Element | null {
  const { t: own } = people;
  const isFirst = parameter('after') === null;
  if (isFirst && next === null) return null;
  return (
    <nav class="row" aria-label={own.pages}>
      {!isFirst && (
        <button type="button" class="small" onClick={() => changeQuery({ after: null })}>
          {own.firstPage}
        </button>
      )}
      {next !== null && (
        <button type="button" class="small" onClick={() => changeQuery({ after: next })}>
          {own.next}
        </button>
      )}
    </nav>
  );
}

/** Where there is nothing yet: what it would be, and the next step. */
export function FirstStep({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="panel first-step">
      <h2>{title}</h2>
      <p class="lead">{lead}</p>
      <div class="row">{children}</div>
    </div>
  );
}

/** A text to be copied, such as a link or a secret. */
export function Copied({ label, text }: { readonly label: string; readonly text: string }): JSX.Element {
  return (
    <div class="field">
      <p class="label">{label}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <p class="row">
        <CopyButton text={text} />
      </p>
    </div>
  );
}

export function ShownLink({ link }: { readonly link: AnswerTo<'POST /users/:id/link'> }): JSX.Element {
  return <Copied label={`${people.t.linkOnce} ${momentText(link.expiresAt)}`} text={link.url} />;
}

export const userPath = (id: string): string => pathOf('user', { id });
export const groupPath = (id: string): string => pathOf('group', { id });
