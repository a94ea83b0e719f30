// soundings view list and revoke: shared views of an account, from a terminal. They are made in the console, because the link is for
// whoever makes it to send.

import { sharedPageText } from '../domain/access/shared-view.ts';
import { listSharedViews, revokeSharedView, type SharedView } from '../store/access/shared-views.ts';
import { demandAccount } from './account-check.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type OfAccount } from './options.ts';
import { CommandError, type Terminal, visible } from './terminal.ts';

const pageSize = 500;

export async function listViews(terminal: Terminal, flags: Flags, options: OfAccount): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    await demandAccount(context, accountId);
    const views: SharedView[] = [];
    for (let after = ''; ; ) {
      const page = await listSharedViews(context.db, accountId, context.now(), { after, take: pageSize });
      views.push(...page);
      if (page.length < pageSize) break;
      after = page.at(-1)!.id;
    }
    if (options.json === true) {
      terminal.print(JSON.stringify(views.map(shown)));
      return;
    }
    if (views.length === 0) terminal.tell(`Account ${accountId} has no shared views.`);
    for (const view of views) {
      const { id, name, page, createdBy } = view;
      const { expiresAt, usedAt, end } = shown(view);
      const seen = usedAt === null ? 'not opened yet' : `last opened ${usedAt}`;
      const state = end === null ? `until ${expiresAt}` : endWords[end];
      terminal.print(
        `${id}  ${visible(name)}: ${sharedPageText(page)}, ${page.from} to ${page.to}, by ${visible(createdBy)}, ${state}, ${seen}`,
      );
    }
  });
}

const endWords = { revoked: 'revoked', ended: 'ended', makerGone: 'ended with its maker' } as const;

function shown({ id, name, page, createdBy, createdAtMs, expiresAtMs, usedAtMs, end }: SharedView) {
  return {
    ...{ id, name, ...page, createdBy, createdAt: timeText(createdAtMs), expiresAt: timeText(expiresAtMs) },
    usedAt: usedAtMs === null ? null : timeText(usedAtMs),
    end,
  };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

export async function revokeView(
  terminal: Terminal,
  flags: Flags,
  id: string,
  options: OfAccount,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const outcome = await context.db.write(revokeSharedView, { ...changeStamp(context), accountId, id });
    if (outcome === 'unknown')
      throw new CommandError(
        `Account ${accountId} has no shared view "${visible(id.slice(0, 100))}". See "soundings view list --account ${accountId}".`,
      );
    const changed = outcome === 'revoked';
    if (options.json === true) {
      terminal.print(JSON.stringify({ accountId, id, changed }));
      return;
    }
    terminal.print(
      changed
        ? `Shared view ${id} is revoked: its link shows nothing any more.`
        : `Shared view ${id} was revoked before: nothing to change.`,
    );
  });
}
