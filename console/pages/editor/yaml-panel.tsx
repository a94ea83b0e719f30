// The draft as YAML, with line numbers, and faults at their lines.

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { frameTexts } from '../../frame/messages.ts';
import { useEditor } from './bound.tsx';
import { faultText } from './fault-text.ts';
import { editorTexts, fill } from './texts.ts';

export function YamlPanel(): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLPreElement>(null);
  useEffect(() => {
    void editor.loadYaml();
    return () => editor.commitTyped();
  }, [editor]);
  const yaml = editor.yaml.value;
  if (yaml === null) return <p class="wait">{frameTexts.t.loading}</p>;
  const { text: written, document } = editor.history.now.value;
  const text = editor.typed.value ?? written ?? yaml.yamlText(document as object);
  const placeOf = yaml.placesIn(text);
  const faults = editor.faults.value
    .map((fault) => ({
      ...placeOf(fault.path),
      ...(fault.line === undefined || written === null ? {} : fault),
      text: faultText(fault),
    }))
    .toSorted((one, other) => one.line - other.line);
  const faulty = new Set(faults.map(({ line }) => line));
  const count = text.split('\n').length;
  const goTo = (line: number, column = 1): void => {
    const field = area.current;
    if (field === null) return;
    const begin = text.split('\n', line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const end = text.indexOf('\n', begin);
    field.focus();
    field.setSelectionRange(begin + column - 1, end < 0 ? text.length : end);
    field.scrollTop = (field.scrollHeight / count) * Math.max(0, line - 6);
  };
  return (
    <section class="panel part" aria-labelledby="part-title">
      <header>
        <h2 id="part-title" tabIndex={-1}>
          YAML
        </h2>
      </header>
      <p class="hint">{t.yamlHint}</p>
      <ul class="fault-list" aria-live="polite">
        {faults.slice(0, 50).map(({ line, column, text: said }) => (
          <li key={`${line} ${said}`}>
            <button type="button" class="quiet small" onClick={() => goTo(line, column)}>
              {fill(t.line, { line: column === undefined ? line : `${line}:${column}` })}
            </button>{' '}
            <span class="fault">{said}</span>
          </li>
        ))}
      </ul>
      <div class="code">
        <pre ref={gutter} aria-hidden="true">
          {Array.from({ length: count }, (_, index) => (
            <span key={index} class={faulty.has(index + 1) ? 'faulty' : undefined}>
              {index + 1}
              {'\n'}
            </span>
          ))}
        </pre>
        <textarea
          ref={area}
          aria-label={t.yamlLabel}
          spellcheck={false}
          autocomplete="off"
          wrap="off"
          value={text}
          onInput={({ currentTarget }) => editor.type(currentTarget.value)}
          onBlur={() => editor.commitTyped()}
          onScroll={({ currentTarget }) => {
            if (gutter.current !== null) gutter.current.scrollTop = currentTarget.scrollTop;
          }}
        />
      </div>
    </section>
  );
}
