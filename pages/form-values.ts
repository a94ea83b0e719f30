// What stands in a form.

import type { FormFields } from '../src/domain/pages/form-fields.ts';

export function fieldsOf(form: HTMLFormElement): FormFields {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new FormData(form)) fields.set(name, [...(fields.get(name) ?? []), `${value}`]);
  return fields;
}
