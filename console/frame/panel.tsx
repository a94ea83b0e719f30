// A panel: one thing that a page shows, with its heading, what it says in a sentence, and how to get the same figures by the API.

import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { isFixed } from './address.ts';
import type { Answer } from './answers.ts';
import { CopyButton } from './copy.tsx';
import { frameTexts } from './messages.ts';
import { Problem } from './problem.tsx';

interface PanelProps {
  readonly title: string;
  /** What it is, in a line below the title. */
  readonly lead?: ComponentChildren;
  /** The path under /v1 that gives the same figures. */
  readonly api?: string | undefined;
  /** Where its figures are as CSV. */
  readonly csv?: string | undefined;
  /** Whose failure, and first loading, is shown in place of the content. */
  readonly answer?: Answer<unknown>;
  readonly class?: string;
  /** Beside the title. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Panel({
  title,
  lead,
  api,
  csv,
  answer,
  actions,
  children,
  ...rest
}: PanelProps): JSX.Element {
  const id = useId();
  const isEmpty = answer !== undefined && answer.data === null;
  return (
    <section
      class={`panel ${rest.class ?? ''}`}
      aria-labelledby={id}
      aria-busy={answer?.isLoading === true && isEmpty}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <div class="row">
          {actions}
          {csv !== undefined && !isFixed.value && (
            <a class="button quiet small" href={csv} download>
              CSV
            </a>
          )}
          {api !== undefined && !isFixed.value && <ApiCall path={api} title={title} />}
        </div>
      </header>
      {lead !== undefined && <p class="hint">{lead}</p>}
      {answer?.error != null && <Problem error={answer.error} retry={answer.reload} />}
      {isEmpty ? (
        answer.error == null && <p class="wait">{frameTexts.t.loading}</p>
      ) : (
        <div class={`stack ${answer?.isOld === true ? 'old' : ''}`}>{children}</div>
      )}
    </section>
  );
}

/** The line that asks the interface for the same figures. */
function ApiCall({ path, title }: { readonly path: string; readonly title: string }): JSX.Element {
  const id = useId();
  const line = `curl -H "Authorization: Bearer $TOKEN" "${location.origin}${path}"`;
  const { t } = frameTexts;
  return (
    <>
      <button type="button" class="quiet small" popovertarget={id} aria-label={`${t.asApiCall}: ${title}`}>
        API
      </button>
      <div id={id} popover="auto" class="popover stack">
        <h3>{t.asApiCall}</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
        <pre tabIndex={0}>
          <code>{line}</code>
        </pre>
        <p class="row">
          <CopyButton text={line} />
          <a href="/docs" class="button quiet small">
            {t.docs}
          </a>
        </p>
      </div>
    </>
  );
}
