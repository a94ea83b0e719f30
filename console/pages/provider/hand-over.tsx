// The set-up link: hands these steps to whoever looks after the provider.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type ProviderKind, providerKinds } from '../../../src/domain/access/provider-kind.ts';
import { call } from '../../call.ts';
import { agoText, momentText } from '../../formats.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { Confirm } from '../../frame/confirm.tsx';
import { Field } from '../../frame/field.tsx';
import { Panel } from '../../frame/panel.tsx';
import type { SetupLink } from './place.ts';
import { AdminsChoice } from './provisioning.tsx';
import { providerTexts } from './texts.ts';
import { Values } from './values.tsx';

export function HandOver({
  link,
  connection,
  reload,
}: {
  readonly link: SetupLink;
  /** The one that the link is for; null: it is made by it. */
  readonly connection: string | null;
  readonly reload: () => Promise<void>;
}): JSX.Element {
  const { t } = providerTexts;
  const [kind, setKind] = useState<ProviderKind>('entra');
  const [days, setDays] = useState('7');
  const [mayChangeAdmins, setMayChangeAdmins] = useState(false);
  const [url, setUrl] = useState<string | null>(null);
  const doing = useDoing();
  const make = (): Promise<boolean> =>
    doing.run(async () => {
      const wanted = connection === null ? { kind } : { connection };
      const made = await call('POST /setup-link', {
        body: { ...wanted, days: Number(days), mayChangeAdmins },
      });
      setUrl(made.url);
      await reload();
      return undefined;
    });
  return (
    <Panel title={t.linkTitle} lead={t.linkLead}>
      {link !== null && (
        <div class="row between">
          <p>
            {t.linkLive(momentText(link.expiresAt))}{' '}
            {link.usedAt === null ? t.linkUnused : t.linkUsed(agoText(link.usedAt))} {t.linkReplaces}{' '}
            {link.mayChangeAdmins && <span class="badge">{t.changesAdmins}</span>}
          </p>
          <Confirm
            label={t.endLink}
            title={t.endLinkTitle}
            question={<p>{t.endLinkQuestion}</p>}
            isDangerous
            run={async () => {
              await call('DELETE /setup-link');
              setUrl(null);
              await reload();
              return t.linkEnded;
            }}
          />
        </div>
      )}
      {url !== null && (
        <>
          <p class="good" role="status">
            {t.linkShown}
          </p>
          <Values values={[{ name: t.linkTitle, value: url }]} />
        </>
      )}
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        {connection === null && (
          <Field label={t.linkKind}>
            {(ids) => (
              <select
                {...ids}
                value={kind}
                onChange={({ currentTarget }) => setKind(currentTarget.value as ProviderKind)}
              >
                {providerKinds.map((one) => (
                  <option value={one}>{t.kinds[one]}</option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Field label={t.linkDays}>
          {(ids) => (
            <input
              {...ids}
              type="number"
              min={1}
              max={30}
              required
              value={days}
              onInput={({ currentTarget }) => setDays(currentTarget.value)}
            />
          )}
        </Field>
        <AdminsChoice isChosen={mayChangeAdmins} choose={setMayChangeAdmins} />
        <button type="submit" aria-busy={doing.isBusy}>
          {t.makeLink}
        </button>
      </form>
      <p class="hint">{t.linkWarning}</p>
      <Outcome doing={doing} />
    </Panel>
  );
}
