// What the pages of comments and responses have in common.

import type { JSX } from 'preact';
import { Refusal, unreachable } from '../../call.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { Problem } from '../../frame/problem.tsx';
import type { SourceOf } from '../insight/source-page.tsx';
import { readingTexts } from './texts.ts';
import type { Walk } from './walk.ts';

/** Of the parameters of a page. */
export function sourceOfParams({ kind, key }: Readonly<Record<string, string>>): SourceOf {
  return { kind: kind === 'projects' ? 'project' : 'measure', key: key ?? '' };
}

/** Takes a file. It is looked at ahead, so that a refusal is a sentence on the page and not a file. */
export function FileButton({ path, what }: { readonly path: string; readonly what: string }): JSX.Element {
  const { t } = readingTexts;
  const doing = useDoing();
  return (
    <>
      <button
        type="button"
        class="small"
        aria-label={t.csvOf(what)}
        aria-busy={doing.isBusy}
        onClick={() =>
          doing.run(async () => {
            await lookAhead(path);
            const link = document.createElement('a');
            link.href = `/console/api${path}`;
            link.download = '';
            link.click();
            return undefined;
          })
        }
      >
        {t.csv}
      </button>
      {doing.error !== null && <Outcome doing={doing} />}
    </>
  );
}

async function lookAhead(path: string): Promise<void> {
  let answer: Response;
  try {
    answer = await fetch(`/console/api${path}`, { method: 'HEAD' });
  } catch {
    throw new Refusal(0, { code: unreachable });
  }
  if (answer.ok) return;
  const requestId = answer.headers.get('x-request-id');
  // The answer to HEAD has no body: whoever sees the page may take the file, unless their sign-in is long ago.
  throw new Refusal(answer.status, {
    ...(answer.status === 403 ? { code: 'FRESH_SIGN_IN_REQUIRED' } : {}),
    ...(requestId === null ? {} : { requestId }),
  });
}

interface WalkEndProps {
  readonly walk: Walk<{ readonly id: string }>;
  /** After more came: the place of the first of them. */
  readonly onMore: (first: number) => void;
}

/** Below a list: more of it, or why there is no more. */
export function WalkEnd({ walk, onMore }: WalkEndProps): JSX.Element {
  const { t } = readingTexts;
  return (
    <>
      {walk.error != null && (
        <Problem error={walk.error} retry={walk.items.length === 0 ? walk.restart : walk.more} />
      )}
      {!walk.isComplete && walk.next !== null && <p class="hint">{t.incomplete}</p>}
      {walk.next !== null && (
        <p>
          <button type="button" aria-busy={walk.isLoading} onClick={async () => onMore(await walk.more())}>
            {walk.isComplete ? t.more : t.goOn}
          </button>
        </p>
      )}
    </>
  );
}

export function Newer({ walk }: { readonly walk: Walk<{ readonly id: string }> }): JSX.Element {
  const { t } = readingTexts;
  return (
    <div aria-live="polite">
      {walk.hasNewer && (
        <p class="row">
          {t.newer}
          <button type="button" class="small" onClick={walk.restart}>
            {t.showNewer}
          </button>
        </p>
      )}
    </div>
  );
}
