// The token that the provider gets, and the wait for its first request.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { agoText, numberText } from '../../formats.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import type { NewToken, Place } from './place.ts';
import { Instructions } from './step.tsx';
import { providerTexts } from './texts.ts';
import { Values } from './values.tsx';

export function Provisioning({ place }: { readonly place: Place }): JSX.Element {
  const { t } = providerTexts;
  const { kind, addresses, connection } = place;
  const live = place.tokens.filter(({ state }) => state === 'live');
  const [made, setMade] = useState<NewToken | null>(null);
  const [mayChangeAdmins, setMayChangeAdmins] = useState(false);
  const doing = useDoing();
  const make = (): Promise<boolean> =>
    doing.run(async () => {
      setMade(await place.makeToken(mayChangeAdmins));
      await place.reload();
      return undefined;
    });
  const name = connection?.name ?? t.kinds[kind];
  return (
    <>
      <Instructions steps={t.pushSteps[kind]} />
      <Values
        values={[
          { name: t.valueNames.scim, value: addresses.scim },
          ...(made === null ? [] : [{ name: t.tokenName, value: made.token }]),
        ]}
      />
      {made !== null && (
        <p class="good" role="status">
          {t.tokenShown}
        </p>
      )}
      {place.mayMarkToken && <AdminsChoice isChosen={mayChangeAdmins} choose={setMayChangeAdmins} />}
      <p>
        <button
          type="button"
          class={live.length === 0 && connection !== null ? 'primary' : ''}
          aria-busy={doing.isBusy}
          onClick={make}
        >
          {live.length === 0 ? t.makeToken : t.makeTokenAgain}
        </button>
      </p>
      {live.length > 0 && made === null && <p class="hint">{t.tokenLost}</p>}
      <Outcome doing={doing} />
      {live.length > 0 && <Heard place={place} name={name} />}
    </>
  );
}

/** Whether the token may change admins, said by an admin or an operator before it is made. */
export function AdminsChoice({
  isChosen,
  choose,
}: {
  readonly isChosen: boolean;
  readonly choose: (isChosen: boolean) => void;
}): JSX.Element {
  const { t } = providerTexts;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
      <span>
        {t.mayChangeAdmins}
        <span class="hint below">{t.mayChangeAdminsHint}</span>
      </span>
    </label>
  );
}

function Heard({ place, name }: { readonly place: Place; readonly name: string }): JSX.Element {
  const { t } = providerTexts;
  const heard = place.tokens.filter(({ isHeard }) => isHeard);
  if (heard.length === 0)
    return (
      <div class="waits" role="status">
        <p>
          <span class="pulse" aria-hidden="true" />
          {t.waiting(name)}
        </p>
        <p class="hint">{t.waitingHint}</p>
      </div>
    );
  const requests = heard.reduce((sum, token) => sum + token.requests, 0);
  const refused = heard.reduce((sum, token) => sum + token.refused, 0);
  const last = heard
    .map(({ lastRequest, lastUsed }) => lastRequest ?? lastUsed ?? '')
    .toSorted()
    .at(-1);
  return (
    <div class="good" role="status">
      <p>
        <strong>{t.heard(name)}</strong>
      </p>
      {last !== undefined && last !== '' && <p>{t.heardFacts(numberText(requests), agoText(last))}</p>}
      {refused > 0 && <p>{t.heardRefused(numberText(refused))}</p>}
    </div>
  );
}
