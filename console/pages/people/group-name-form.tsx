// The form for the name of a group: of a new one, and of one that gets another name.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { Field } from '../../frame/field.tsx';
import { frameTexts } from '../../frame/messages.ts';
import { useDraft } from './draft.ts';
import { people } from './texts.ts';

interface GroupNameFormProps {
  /** What is typed is kept under it until it is sent. */
  readonly draftName: string;
  /** What stands in the field at first. */
  readonly name: string;
  /** On the button that sends it. */
  readonly label: string;
  readonly send: (displayName: string) => Promise<void>;
}

export function GroupNameForm({ draftName, name, label, send }: GroupNameFormProps): JSX.Element {
  const { t: own } = people;
  const draft = useDraft(draftName, { displayName: name });
  const doing = useDoing();
  const [isMissing, setMissing] = useState(false);
  const typed = draft.values.displayName.trim();
  const submit = async (): Promise<undefined> => {
    await send(typed);
    draft.drop();
  };
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (typed === '') setMissing(true);
        else void doing.run(submit);
      }}
    >
      <Field label={own.groupName} fault={isMissing ? own.groupNameMissing : null}>
        {(ids) => (
          <input
            {...ids}
            required
            maxLength={255}
            autocomplete="off"
            value={draft.values.displayName}
            onInput={({ currentTarget }) => {
              setMissing(false);
              draft.change({ displayName: currentTarget.value });
            }}
          />
        )}
      </Field>
      <Outcome doing={doing} />
      <div class="row">
        <button type="submit" class="primary" aria-busy={doing.isBusy}>
          {label}
        </button>
        <button type="button" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
          {frameTexts.t.cancel}
        </button>
      </div>
    </form>
  );
}
