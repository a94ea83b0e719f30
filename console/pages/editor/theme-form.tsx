// The colours of the page, with what can be read and what cannot.

import type { JSX } from 'preact';
import type { PageColours, PageTheme } from '../../../src/domain/feedback/definition.ts';
import { themeColours, themeFaults } from '../../../src/domain/pages/theme.ts';
import { useEditor } from './bound.tsx';
import { getAt, type Path, setAt, survey } from './draft.ts';
import { faultText } from './fault-text.ts';
import { Part } from './survey-form.tsx';
import { editorTexts, fill } from './texts.ts';

const names = ['accent', 'background', 'text'] as const;
const theme: Path = [...survey, 'page', 'theme'];

export function ThemeForm(): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const said = readTheme(getAt(editor.document.value, theme));
  const faults = themeFaults(said);
  return (
    <Part title={t.parts.theme}>
      <Colours
        title={t.light}
        at={theme}
        said={said}
        shown={themeColours(said).light}
        faults={faults}
        prefix=""
      />
      <Colours
        title={t.dark}
        at={[...theme, 'dark']}
        said={said.dark ?? {}}
        shown={themeColours(said).dark}
        faults={faults}
        prefix="dark."
      />
      {faults.length === 0 && <p class="hint">{t.contrastGood}</p>}
    </Part>
  );
}

/** Colours that are none are for the list of faults; here they count as not said. */
function readTheme(value: unknown): PageTheme {
  const colours = (from: unknown): PageColours =>
    Object.fromEntries(
      names.flatMap((name) => {
        const colour = getAt(from, [name]);
        return typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour)
          ? [[name, colour.toLowerCase()]]
          : [];
      }),
    );
  const dark = colours(getAt(value, ['dark']));
  return { ...colours(value), ...(Object.keys(dark).length > 0 && { dark }) };
}

function Colours({
  title,
  at,
  said,
  shown,
  faults,
  prefix,
}: {
  readonly title: string;
  readonly at: Path;
  readonly said: PageColours;
  readonly shown: Readonly<Record<(typeof names)[number], string>>;
  readonly faults: ReturnType<typeof themeFaults>;
  readonly prefix: string;
}): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const set = (name: string, colour: string | undefined, field: string | null = null): void =>
    editor.edit((now) => setAt(now, [...at, name], colour), field);
  return (
    <fieldset class="bare">
      <legend>{title}</legend>
      {names.map((name) => {
        const fault = faults.find(({ path }) => path === prefix + name);
        const nearest = fault && String(fault.values.nearest);
        return (
          <div key={name}>
            <div class="row">
              <label class="colour">
                <input
                  type="color"
                  value={said[name] ?? shown[name]}
                  onInput={({ currentTarget }) => set(name, currentTarget.value, `${prefix}${name}`)}
                />
                <span>{t.colours[name]}</span>
              </label>
              <code>{said[name] ?? t.usualColour}</code>
              {said[name] !== undefined && (
                <button
                  type="button"
                  class="quiet small"
                  aria-label={`${t.reset}: ${t.colours[name]}, ${title}`}
                  onClick={() => set(name, undefined)}
                >
                  {t.reset}
                </button>
              )}
            </div>
            {fault !== undefined && (
              <p class="fault">
                {faultText(fault)}{' '}
                {nearest !== undefined && (
                  <button type="button" class="small" onClick={() => set(name, nearest)}>
                    {fill(t.use, { colour: nearest })}
                  </button>
                )}
              </p>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
