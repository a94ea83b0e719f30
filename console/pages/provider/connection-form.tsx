// Entering the connection: what was typed survives a fresh sign-in and a closed tab, but for the secret.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { connectionFaults } from '../../../src/domain/access/connection.ts';
import { claimOfKind, usualNames } from '../../../src/domain/access/provider-kind.ts';
import { Refusal } from '../../call.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { Field } from '../../frame/field.tsx';
import type { ConnectionFacts, Place } from './place.ts';
import { providerTexts } from './texts.ts';

type Typed = Omit<Required<ConnectionFacts>, 'secret'>;
type FieldName = keyof Required<ConnectionFacts>;

export function ConnectionForm({
  place,
  onSaved,
}: {
  readonly place: Place;
  readonly onSaved: () => unknown;
}): JSX.Element {
  const { t } = providerTexts;
  const { connection, kind } = place;
  const keptUnder = `soundings.provider.${connection?.id ?? kind}`;
  const [kept] = useState(() => readKept(keptUnder));
  const [typed, setTyped] = useState<Typed>(
    () =>
      kept ?? {
        name: connection?.name ?? usualNames[kind],
        issuer: connection?.issuer ?? '',
        clientId: connection?.clientId ?? '',
        subjectClaim: connection?.subjectClaim ?? claimOfKind(kind),
      },
  );
  const [secret, setSecret] = useState('');
  const [faulty, setFaulty] = useState<ReadonlySet<string>>(new Set());
  const doing = useDoing();
  const change = (name: keyof Typed, value: string): void => {
    const next = { ...typed, [name]: value };
    setTyped(next);
    sessionStorage.setItem(keptUnder, JSON.stringify(next));
  };
  const save = (): Promise<boolean> =>
    doing.run(async () => {
      const facts = { ...trimmed(typed), ...(secret !== '' && { secret }) };
      const faults = connectionFaults(facts).map(({ field }) => field);
      setFaulty(new Set(faults));
      if (faults.length > 0) {
        document.querySelector<HTMLElement>(`[name="${faults[0]}"]`)?.focus();
        return undefined;
      }
      try {
        await place.save(facts);
      } catch (error) {
        if (error instanceof Refusal) setFaulty(new Set(error.faults.map(fieldOf)));
        throw error;
      }
      sessionStorage.removeItem(keptUnder);
      setSecret('');
      onSaved();
      return t.saved;
    });
  const fault = (name: FieldName): string | null => (faulty.has(name) ? t.faults[name] : null);
  const text = (name: keyof Typed, hint?: string, placeholder?: string): JSX.Element => (
    <Field label={t.fields[name]} fault={fault(name)} {...(hint !== undefined && { hint })}>
      {(ids) => (
        <input
          {...ids}
          name={name}
          value={typed[name]}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          maxLength={1_000}
          onInput={({ currentTarget }) => change(name, currentTarget.value)}
        />
      )}
    </Field>
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {kept !== null && <p class="hint">{t.restored}</p>}
      {text('issuer', undefined, t.issuerHints[kind])}
      {text('clientId')}
      <Field
        label={t.fields.secret}
        fault={fault('secret')}
        hint={connection?.hasSecret === true ? t.secretKept : t.secretNew}
      >
        {(ids) => (
          <input
            {...ids}
            name="secret"
            type="password"
            value={secret}
            autocomplete="off"
            maxLength={4_000}
            onInput={({ currentTarget }) => setSecret(currentTarget.value)}
          />
        )}
      </Field>
      {text('subjectClaim', t.claimHints[kind])}
      {text('name')}
      {connection !== null && connection.testedAt !== null && <p class="hint">{t.changesAll}</p>}
      <Outcome doing={doing} />
      <p>
        <button type="submit" class="primary" aria-busy={doing.isBusy}>
          {t.save}
        </button>
      </p>
    </form>
  );
}

function readKept(under: string): Typed | null {
  try {
    const { name, issuer, clientId, subjectClaim } = JSON.parse(
      sessionStorage.getItem(under) ?? 'null',
    ) as Typed;
    return { name, issuer, clientId, subjectClaim };
  } catch {
    return null;
  }
}

function trimmed({ name, issuer, clientId, subjectClaim }: Typed): Typed {
  return {
    name: name.trim(),
    issuer: issuer.trim(),
    clientId: clientId.trim(),
    subjectClaim: subjectClaim.trim(),
  };
}

function fieldOf(fault: { readonly field?: string }): string {
  return fault.field ?? '';
}
