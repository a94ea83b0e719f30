// Tokens with their end: a warning in time, and a replacement in two steps.

import type { JSX } from 'preact';
import { call } from '../../call.ts';
import { agoText, momentText } from '../../formats.ts';
import { Confirm } from '../../frame/confirm.tsx';
import { DataTable } from '../../frame/table.tsx';
import type { Token } from './place.ts';
import { providerTexts } from './texts.ts';

export function Tokens({
  tokens,
  caption,
  reload,
}: {
  readonly tokens: readonly Token[];
  readonly caption: string;
  readonly reload: () => Promise<void>;
}): JSX.Element {
  const { t } = providerTexts;
  const isOtherUsed = (token: Token): boolean =>
    tokens.some((other) => other.id !== token.id && other.state === 'live' && other.isHeard);
  return (
    <DataTable
      caption={caption}
      rows={tokens}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t.name,
          isHead: true,
          cell: (token) => (
            <>
              {token.name} {token.readOnly && <span class="badge off">{t.readOnly}</span>}
              {token.mayChangeAdmins && <span class="badge">{t.changesAdmins}</span>}
            </>
          ),
        },
        {
          title: t.expires,
          cell: ({ state, expires, endsSoon }) =>
            state === 'live' ? (
              <>
                <time dateTime={expires}>{momentText(expires)}</time>{' '}
                {endsSoon && <span class="badge bad">{t.endsSoon(agoText(expires))}</span>}
              </>
            ) : (
              <span class="badge off">{t.tokenStates[state]}</span>
            ),
        },
        {
          title: t.lastUsed,
          cell: ({ lastRequest, lastUsed }) => {
            const last = lastRequest ?? lastUsed;
            return last === null ? t.never : agoText(last);
          },
        },
        {
          title: t.endToken,
          isTitleUnseen: true,
          cell: (token) =>
            token.state === 'live' && (
              <Confirm
                label={t.endToken}
                title={t.endTokenTitle}
                question={
                  <>
                    <p>{t.endTokenQuestion(token.name)}</p>
                    {!isOtherUsed(token) && token.connection !== null && <p>{t.endTokenUnused}</p>}
                  </>
                }
                isDangerous
                run={async () => {
                  await call('DELETE /provisioning-tokens/:tokenId', { params: { tokenId: token.id } });
                  await reload();
                  return undefined;
                }}
              />
            ),
        },
      ]}
    />
  );
}
