// Controls that show one member of the draft and change it.

import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { Field } from '../../frame/field.tsx';
import { getAt, type Path, pathText, setAt } from './draft.ts';
import type { Editor } from './editor.ts';
import { faultText } from './fault-text.ts';

const EditorContext = createContext<Editor>(null as unknown as Editor);

export const EditorProvider = EditorContext.Provider;

export function useEditor(): Editor {
  return useContext(EditorContext);
}

interface BoundProps {
  readonly at: Path;
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What counts where nothing is said. */
  readonly usual?: string;
}

/** What is wrong with this very member. */
export function faultAt(editor: Editor, at: Path): string | null {
  const path = pathText(at);
  const found = editor.faults.value.filter((fault) => fault.path === path).map((fault) => faultText(fault));
  return found.length === 0 ? null : found.join(' ');
}

export function TextLine({
  at,
  label,
  hint,
  usual,
  isLong = false,
  rows = 3,
}: BoundProps & { readonly isLong?: boolean; readonly rows?: number }): JSX.Element {
  const editor = useEditor();
  const value = String(getAt(editor.document.value, at) ?? '');
  const change = (text: string): void =>
    editor.edit((document) => setAt(document, at, text === '' ? undefined : text), pathText(at));
  return (
    <Field label={label} hint={hint} fault={faultAt(editor, at)}>
      {(ids) =>
        isLong ? (
          <textarea
            {...ids}
            rows={rows}
            value={value}
            placeholder={usual}
            onInput={({ currentTarget }) => change(currentTarget.value)}
          />
        ) : (
          <input
            {...ids}
            type="text"
            value={value}
            placeholder={usual}
            autocomplete="off"
            onInput={({ currentTarget }) => change(currentTarget.value)}
          />
        )
      }
    </Field>
  );
}

/** Changed when the field is left: what names things must not change at every key. */
export function IdLine({
  value,
  label,
  hint,
  at,
  onChange,
}: {
  readonly value: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly at: Path;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const editor = useEditor();
  return (
    <Field label={label} hint={hint} fault={faultAt(editor, at)}>
      {(ids) => (
        <input
          {...ids}
          type="text"
          value={value}
          autocomplete="off"
          spellcheck={false}
          onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
        />
      )}
    </Field>
  );
}

export function NumberLine({
  at,
  label,
  hint,
  usual,
  step = 1,
}: BoundProps & { readonly step?: number | 'any' }): JSX.Element {
  const editor = useEditor();
  const value = getAt(editor.document.value, at);
  return (
    <Field label={label} hint={hint} fault={faultAt(editor, at)}>
      {(ids) => (
        <input
          {...ids}
          type="number"
          step={step}
          value={typeof value === 'number' ? value : ''}
          placeholder={usual}
          onInput={({ currentTarget }) => {
            const typed = currentTarget.valueAsNumber;
            editor.edit(
              (document) => setAt(document, at, Number.isNaN(typed) ? undefined : typed),
              pathText(at),
            );
          }}
        />
      )}
    </Field>
  );
}

/** Ticked where the member says so; what is as usual is not written down. */
export function Tick({
  at,
  label,
  usual = false,
}: {
  readonly at: Path;
  readonly label: string;
  readonly usual?: boolean;
}): JSX.Element {
  const editor = useEditor();
  const value = getAt(editor.document.value, at) ?? usual;
  const fault = faultAt(editor, at);
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget: { checked } }) =>
          editor.edit((document) => setAt(document, at, checked === usual ? undefined : checked))
        }
      />
      <span>
        {label}
        {fault !== null && <span class="fault"> {fault}</span>}
      </span>
    </label>
  );
}

export function Choice({
  at,
  label,
  hint,
  options,
  usual = '',
}: BoundProps & { readonly options: Readonly<Record<string, string>> }): JSX.Element {
  const editor = useEditor();
  const value = String(getAt(editor.document.value, at) ?? usual);
  return (
    <Field label={label} hint={hint} fault={faultAt(editor, at)}>
      {(ids) => (
        <select
          {...ids}
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.value;
            editor.edit((document) => setAt(document, at, chosen === usual ? undefined : chosen));
          }}
        >
          {Object.entries(options).map(([option, name]) => (
            <option key={option} value={option}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
