// soundings scim log: what identity providers asked for lately, how it was understood, and what became of it.

import {
  type NamedRequest,
  provisioningRequests,
  requestsKept,
} from '../store/provisioning/provisioning-log.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type OfAccount } from './options.ts';
import { CommandError, type Terminal, table, visible } from './terminal.ts';

export interface LogOptions extends OfAccount {
  readonly count: string;
  readonly refused?: boolean;
}

export async function showLog(terminal: Terminal, flags: Flags, options: LogOptions): Promise<void> {
  const accountId = accountIdOf(options.account);
  const count = /^\d{1,4}$/.test(options.count) ? Number(options.count) : 0;
  if (count < 1 || count > requestsKept)
    throw new CommandError(
      `--count must be a whole number from 1 to ${requestsKept}, not "${options.count}".`,
    );
  await withContext(terminal, flags, async (context) => {
    const requests = await provisioningRequests(context.db, accountId, context.now());
    const wanted = options.refused === true ? requests.filter(({ refused }) => refused !== null) : requests;
    const providers = byProvider(wanted).map(({ actor, who, requests: all }) => ({
      actor,
      who,
      requests: all.slice(-count),
      total: all.length,
    }));
    if (options.json === true) {
      const shown = providers.map(({ actor, who, requests: last }) => ({
        actor,
        name: who,
        requests: last.map(({ who: _, actor: __, atMs, ...rest }) => ({
          at: new Date(atMs).toISOString(),
          ...rest,
        })),
      }));
      return terminal.print(JSON.stringify(shown));
    }
    if (providers.length === 0) {
      return terminal.print(
        `No provider has asked anything of account ${accountId} in the last 7 days${options.refused === true ? ' that was refused' : ''}. Requests without a valid credential reach no account; see the service's own log.`,
      );
    }
    for (const { actor, who, requests: last, total } of providers) {
      terminal.print(
        `${visible(who ?? 'unknown')} (${visible(actor)}): the last ${last.length} of ${total} requests`,
      );
      terminal.print(indented(linesOf(last)));
    }
  });
}

interface Provider {
  readonly actor: string;
  readonly who: string | null;
  readonly requests: readonly NamedRequest[];
}

function byProvider(requests: readonly NamedRequest[]): readonly Provider[] {
  const groups = Map.groupBy(requests, ({ actor }) => actor);
  return [...groups].map(([actor, own]) => ({ actor, who: own[0]?.who ?? null, requests: own }));
}

/** A line a request, and below it what happened, where something did. */
function linesOf(requests: readonly NamedRequest[]): string {
  const lines = table(
    requests.map((one) => [
      new Date(one.atMs).toISOString(),
      one.method,
      one.subject === null ? one.route : one.route.replace(':id', one.subject),
      String(one.status),
      one.understood ?? '',
    ]),
  ).split('\n');
  return requests
    .flatMap((one, at) => [
      lines[at] ?? '',
      ...(one.changed === null ? [] : [`    changed: ${visible(one.changed)}`]),
      ...(one.refused === null ? [] : [`    refused: ${visible(one.refused)}`]),
    ])
    .join('\n');
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
