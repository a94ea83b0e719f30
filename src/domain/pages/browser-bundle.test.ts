// The rules by which answers are judged run in browsers too: nothing in their way needs Node.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const domain = fileURLToPath(new URL('../', import.meta.url));
const rules = [
  'feedback/survey.ts',
  'feedback/answers.ts',
  'feedback/response.ts',
  'feedback/score.ts',
  'feedback/definition.ts',
  'pages/form-answers.ts',
  'pages/survey-texts.ts',
  'pages/survey-language.ts',
  'pages/visibility-css.ts',
  'pages/invite-rules.ts',
  'pages/theme.ts',
];

describe('the rules in a browser', () => {
  for (const file of rules)
    it(`${file} is bundled without anything of Node`, async () => {
      const outside: string[] = [];
      const build = await rolldown({
        input: `${domain}${file}`,
        platform: 'browser',
        external: (name) => {
          if (!name.startsWith('node:')) return false;
          outside.push(name);
          return true;
        },
      });
      const { output } = await build.generate({ format: 'esm', minify: true });
      await build.close();
      assert.deepEqual([outside, output[0].imports], [[], []]);
      assert.ok(gzipSync(output[0].code).length < 8_000);
    });
});
