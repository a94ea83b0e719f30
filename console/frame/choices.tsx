// Language and appearance.

import type { JSX } from 'preact';
import { keep, kept } from '../kept.ts';
import { language, languages, switchLanguage, t } from '../language.ts';
import { frameTexts } from './messages.ts';
import { spoken } from './texts.ts';

export function Choices(): JSX.Element {
  return (
    <div class="choices">
      <div>
        <label for="language">{t.language}</label>
        <select
          id="language"
          value={language}
          onChange={async ({ currentTarget }) => {
            await switchLanguage(currentTarget.value);
            await frameTexts.load();
            spoken.value += 1;
          }}
        >
          {Object.entries(languages).map(([value, name]) => (
            <option value={value}>{name}</option>
          ))}
        </select>
      </div>
      <div>
        <label for="theme">{t.theme}</label>
        <select
          id="theme"
          defaultValue={kept('theme') ?? 'system'}
          onChange={({ currentTarget: { value } }) => {
            keep('theme', value);
            const { dataset } = document.documentElement;
            if (value === 'system') delete dataset.theme;
            else dataset.theme = value;
          }}
        >
          {Object.entries(t.themes).map(([value, name]) => (
            <option value={value}>{name}</option>
          ))}
        </select>
      </div>
    </div>
  );
}
