// The steps of a set-up, for the page of the console and for whoever has a set-up link: the same words, the same order.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ProviderKind } from '../../../src/domain/access/provider-kind.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { HelpLink } from '../../frame/help.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { Findings } from './findings.tsx';
import { Mapping } from './mapping.tsx';
import type { Finding, Place } from './place.ts';
import { Provisioning } from './provisioning.tsx';
import { Instructions, Step } from './step.tsx';
import { isBackFromTest, TestSignIn } from './test-sign-in.tsx';
import { providerTexts } from './texts.ts';
import { Values } from './values.tsx';

export function Steps({
  place,
  why,
}: {
  readonly place: Place;
  /** Why the connection cannot be changed here. */
  readonly why: string;
}): JSX.Element {
  const { t } = providerTexts;
  const { kind, connection, addresses, tokens } = place;
  const hasToken = tokens.some(({ state }) => state === 'live');
  const isHeard = tokens.some((token) => token.isHeard);
  const { callback, signOut, backChannel } = t.valueNames;
  return (
    <>
      {!addresses.isReachable && <p class="note">{t.unreachable}</p>}
      <Step
        number={1}
        title={t.signInTitle}
        state={connection?.hasSecret === true ? 'done' : 'open'}
        isNews={connection !== null && isJustMade(connection.id)}
      >
        <Instructions steps={t.signInSteps[kind]} />
        <p>
          <HelpLink to={helpOf[kind]} words={t.wholeSetUp} />
        </p>
        <Values
          values={[
            { name: callback, value: addresses.callback },
            { name: signOut, value: addresses.signOut },
            ...(addresses.backChannel === null ? [] : [{ name: backChannel, value: addresses.backChannel }]),
          ]}
        />
        <Entered key={connection?.id ?? kind} place={place} why={why} />
      </Step>
      <Step
        number={2}
        title={t.testTitle}
        lead={t.testLead}
        state={connection === null ? 'later' : connection.testedAt === null ? 'open' : 'done'}
        isNews={isBackFromTest()}
      >
        <TestSignIn place={place} />
      </Step>
      <Step
        number={3}
        title={t.pushTitle}
        state={isHeard ? 'done' : hasToken ? 'waiting' : connection === null ? 'later' : 'open'}
        // The next token is made here.
        isNews={tokens.some(({ endsSoon }) => endsSoon)}
      >
        <Provisioning place={place} />
      </Step>
      <Step number={4} title={t.mapTitle} lead={t.mapLead} state={isHeard ? 'done' : 'open'}>
        <Mapping kind={kind} />
      </Step>
    </>
  );
}

const helpOf: Readonly<Record<ProviderKind, string>> = {
  entra: 'identity-providers/entra-id',
  okta: 'identity-providers/okta',
  other: 'identity-providers',
};

/** The form, and what the check found. */
function Entered({ place, why }: { readonly place: Place; readonly why: string }): JSX.Element {
  const { t } = providerTexts;
  const [findings, setFindings] = useState<readonly Finding[] | null>(null);
  const doing = useDoing();
  const check = (): Promise<boolean> =>
    doing.run(async () => {
      setFindings(await place.check());
      return undefined;
    });
  // What was just entered is checked at once.
  const id = place.connection?.id;
  useEffect(() => {
    if (id === undefined || !isJustMade(id)) return;
    sessionStorage.removeItem(justMade);
    void check();
  }, []);
  return (
    <>
      {place.mayChange ? (
        <ConnectionForm place={place} onSaved={() => void check()} />
      ) : (
        <>
          <p class="hint">{why}</p>
          {place.connection !== null && (
            <Values
              values={[
                { name: t.fields.issuer, value: place.connection.issuer },
                { name: t.fields.clientId, value: place.connection.clientId },
                { name: t.fields.subjectClaim, value: place.connection.subjectClaim },
              ]}
            />
          )}
        </>
      )}
      {findings !== null && <Findings findings={findings} />}
      <Outcome doing={doing} />
      {place.connection !== null && place.mayChange && (
        <p>
          <button type="button" class="small" aria-busy={doing.isBusy} onClick={check}>
            {t.check}
          </button>
        </p>
      )}
    </>
  );
}

const justMade = 'soundings.provider.check';

/** The page of a connection that was just made checks it when it opens. */
export function checkWhenOpened(id: string): void {
  sessionStorage.setItem(justMade, id);
}

function isJustMade(id: string): boolean {
  return sessionStorage.getItem(justMade) === id;
}
