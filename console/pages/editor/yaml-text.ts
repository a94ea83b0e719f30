// YAML for the editor. The parser is large, so this is loaded when somebody wants to see YAML.

import type { CatalogueFault, FilePlace } from '../../../src/domain/feedback/catalogue-file.ts';
import { openFile, placesIn, yamlText, yamlValue } from '../../../src/domain/feedback/catalogue-yaml.ts';
import { readSourceDocument } from '../../../src/domain/feedback/source-document.ts';
import type { SourceKind } from './draft.ts';

export { placesIn, yamlText };

export interface YamlReading {
  /** What it says as data; null where it is no YAML. */
  readonly value: unknown;
  readonly faults: readonly CatalogueFault[];
}

const tooDeep: FilePlace = { line: 1, column: 1 };

export function readYaml(
  text: string,
  name: { readonly kind: SourceKind; readonly key: number },
): YamlReading {
  try {
    const faults: CatalogueFault[] = [];
    const root = openFile(text, faults);
    const value = root === null ? null : yamlValue(text);
    if (root === null || typeof value !== 'object' || value === null)
      return {
        value: null,
        faults: faults.length > 0 ? faults : [{ ...tooDeep, path: '', message: 'Nothing is written here.' }],
      };
    return { value, faults: readSourceDocument(root, name, faults).faults };
  } catch (error) {
    // Nested too deep, or more aliases than anybody writes.
    return { value: null, faults: [{ ...tooDeep, path: '', message: `${(error as Error).message}.` }] };
  }
}
