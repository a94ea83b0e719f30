// A password that can be looked at before it is sent.

import { type FieldOptions, field, h } from './html.ts';
import { t } from './person-texts.ts';

export function passwordField(options: FieldOptions): ReturnType<typeof field> {
  const { element, input } = field({ ...options, type: 'password', maxlength: 1024 });
  const box = h('input', {
    type: 'checkbox',
    change: () => {
      input.type = box.checked ? 'text' : 'password';
    },
  });
  element.append(h('label', { class: 'check' }, box, t.show));
  return { element, input };
}
