// soundings view: shared views of an account. They are made in the console, because the link is for whoever makes it to send.

import { sharedPageText } from '../../domain/access/shared-view.ts';
import type { SharedView } from '../../store/access/shared-views.ts';
import { argument, ofAccount } from '../frame/takes.ts';
import { CommandError, visible } from '../frame/terminal.ts';
import { family, verb } from '../frame/verb.ts';

const account = ofAccount();
const store = () => import('../../store/access/shared-views.ts');
const pageSize = 500;

const list = verb({
  about: 'list the shared views of an account, including those that have ended',
  takes: { account },
  help: '\nExample:\n  soundings view list --account 4001\n',
  load: async () => ({ ...(await store()), ...(await import('../frame/account-check.ts')) }),
  async act({ context, input: { account: accountId } }, { listSharedViews, demandAccount }) {
    await demandAccount(context, accountId);
    const views: SharedView[] = [];
    for (let after = ''; ; ) {
      const page = await listSharedViews(context.db, accountId, context.now(), { after, take: pageSize });
      views.push(...page);
      if (page.length < pageSize) return views.map((view) => ({ page: view.page, shown: shown(view) }));
      after = page.at(-1)!.id;
    }
  },
  json: (views) => views.map((view) => view.shown),
  says: (views) =>
    views.map(({ page, shown: { id, name, createdBy, expiresAt, usedAt, end } }) => {
      const seen = usedAt === null ? 'not opened yet' : `last opened ${usedAt}`;
      const state = end === null ? `until ${expiresAt}` : endWords[end];
      return `${id}  ${visible(name)}: ${sharedPageText(page)}, ${page.from} to ${page.to}, by ${visible(createdBy)}, ${state}, ${seen}`;
    }),
  hint: (views, { account: accountId }) =>
    views.length === 0 ? `Account ${accountId} has no shared views.` : null,
});

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

const revoke = verb({
  about: 'revoke a shared view: its link shows nothing any more',
  takes: { id: argument('id of the view, as listed'), account },
  help: '\nExample:\n  soundings view revoke 0199c8f4-7d3a-7c11-9a52-000000000001 --account 4001\n',
  load: store,
  async act({ context, stamp, input: { account: accountId, id } }, { revokeSharedView }) {
    const outcome = await context.db.write(revokeSharedView, { ...stamp(), accountId, id });
    if (outcome === 'unknown')
      throw new CommandError(
        `Account ${accountId} has no shared view "${visible(id.slice(0, 100))}". See "soundings view list --account ${accountId}".`,
      );
    return { accountId, id, changed: outcome === 'revoked' };
  },
  says: ({ id, changed }) =>
    changed
      ? `Shared view ${id} is revoked: its link shows nothing any more.`
      : `Shared view ${id} was revoked before: nothing to change.`,
});

export const viewFamily = family('view', 'shared views: pages of figures for whoever has a link', {
  list,
  revoke,
});
