// YAML for the editor. The parser is large, so this is loaded when somebody wants to see YAML.

import { type CatalogueFault, type FilePlace, phrase } from '../../../src/domain/feedback/catalogue-fault.ts';
import {
  placesIn as findPlaces,
  openFile,
  yamlText,
  yamlValue,
} from '../../../src/domain/feedback/catalogue-yaml.ts';
import { readSourceDocument } from '../../../src/domain/feedback/source-document.ts';
import type { SourceKind } from '../../../src/domain/feedback/source-kind.ts';

export { yamlText };

// As much as the service takes. What is longer would keep the page busy for seconds at every key.
const lengthMax = 1_000_000;

export function placesIn(text: string): (path: string) => FilePlace {
  return text.length > lengthMax ? () => begin : findPlaces(text);
}

export interface YamlReading {
  /** What it says as data; null where it is no YAML. */
  readonly value: unknown;
  readonly faults: readonly CatalogueFault[];
}

const begin: FilePlace = { line: 1, column: 1 };

export function readYaml(
  text: string,
  name: { readonly kind: SourceKind; readonly key: number },
): YamlReading {
  if (text.length > lengthMax)
    return {
      value: null,
      faults: [{ ...begin, path: '', ...phrase('textTooLong') }],
    };
  try {
    const faults: CatalogueFault[] = [];
    const root = openFile(text, faults);
    const value = root === null ? null : yamlValue(text);
    if (root === null || typeof value !== 'object' || value === null)
      return {
        value: null,
        faults: faults.length > 0 ? faults : [{ ...begin, path: '', ...phrase('nothingWritten') }],
      };
    return { value, faults: readSourceDocument(root, name, faults).faults };
  } catch (error) {
    // Nested too deep, or more aliases than anybody writes.
    return {
      value: null,
      faults: [{ ...begin, path: '', ...phrase('unreadable', { reason: (error as Error).message }) }],
    };
  }
}
