// What differs from the published version, line by line.

import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { frameTexts } from '../../frame/messages.ts';
import { useEditor } from './bound.tsx';
import { diffLines, withoutFarLines } from './line-diff.ts';
import { editorTexts } from './texts.ts';

export function ChangesPanel(): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  useEffect(() => {
    void editor.loadYaml();
  }, [editor]);
  const yaml = editor.yaml.value;
  const begun = editor.begun.value;
  const { document } = editor.history.now.value;
  if (yaml === null) return <p class="wait">{frameTexts.t.loading}</p>;
  const before = begun === null ? '' : yaml.yamlText(begun.document as object);
  const lines = withoutFarLines(diffLines(before, yaml.yamlText(document as object)));
  const isSame = lines.every((line) => line === null || line.sign === ' ');
  const number = (line: number | null): string => (line === null ? '' : String(line));
  return (
    <section class="panel part" aria-labelledby="part-title">
      <header>
        <h2 id="part-title" tabIndex={-1}>
          {t.views.changes}
        </h2>
      </header>
      <p class="hint">{isSame ? t.noChanges : begun === null ? t.changesNew : t.changesLead}</p>
      {!isSame && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <section class="scroll" tabIndex={0} aria-label={t.changesLead}>
          <table class="diff">
            <tbody>
              {lines.map((line, index) =>
                line === null ? (
                  <tr key={index}>
                    <td colSpan={3} class="hint">
                      <span aria-hidden="true">⋯</span>
                      <span class="unseen">{t.skipped}</span>
                    </td>
                  </tr>
                ) : (
                  <tr
                    key={index}
                    class={line.sign === '+' ? 'plus' : line.sign === '-' ? 'minus' : undefined}
                  >
                    <td class="line">{number(line.before)}</td>
                    <td class="line">{number(line.after)}</td>
                    <td>
                      <span aria-hidden="true">{line.sign} </span>
                      {line.sign !== ' ' && (
                        <span class="unseen">{line.sign === '+' ? t.added : t.removed}: </span>
                      )}
                      {line.text}
                    </td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
