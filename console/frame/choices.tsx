// Language and appearance.

import type { JSX } from 'preact';
import { keep, kept } from '../kept.ts';
import { language, languages, switchLanguage } from '../language.ts';
import { frameTexts } from './messages.ts';
import { speakAgain } from './texts.ts';

export function Choices(): JSX.Element {
  const { t } = frameTexts;
  return (
    <div class="choices">
      <div>
        <label for="language">{t.language}</label>
        <select
          id="language"
          value={language}
          onChange={({ currentTarget }) => {
            switchLanguage(currentTarget.value);
            return speakAgain();
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
