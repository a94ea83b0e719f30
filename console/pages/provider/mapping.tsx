// Which attribute becomes which: to be read, and to be copied.

import type { JSX } from 'preact';
import type { ProviderKind } from '../../../src/domain/access/provider-kind.ts';
import { mappingOf, mappingText } from '../../../src/domain/provisioning/attribute-mapping.ts';
import { CopyButton } from '../../frame/copy.tsx';
import { DataTable } from '../../frame/table.tsx';
import { providerTexts } from './texts.ts';

export function Mapping({ kind }: { readonly kind: ProviderKind }): JSX.Element {
  const { t } = providerTexts;
  const theirs = kind === 'other' ? t.theirsOther : t.theirs(t.kinds[kind]);
  return (
    <div class="mapping stack">
      <DataTable
        caption={t.mapTitle}
        rows={mappingOf(kind)}
        keyOf={({ ours }) => ours}
        columns={[
          { title: theirs, cell: (row) => <code>{row.theirs}</code>, isHead: true },
          {
            title: t.ours,
            cell: ({ ours, remark }) => (
              <>
                <code>{ours}</code>
                {remark !== undefined && <p class="hint">{t.remarks[remark]}</p>}
              </>
            ),
          },
        ]}
      />
      <p>
        <CopyButton text={mappingText(kind)} label={t.copyMapping} />
      </p>
    </div>
  );
}
