// soundings scim: what identity providers asked for lately, and whether the service would satisfy them.

import type { NamedRequest } from '../../store/provisioning/provisioning-log.ts';
import { countOf, needed, ofAccount, option, toggle, usual } from '../frame/takes.ts';
import { table, visible } from '../frame/terminal.ts';
import { family, plainVerb, verb } from '../frame/verb.ts';

const log = verb({
  about: 'show the latest requests of each identity provider: what came, what it meant, what the result was',
  takes: {
    account: ofAccount(),
    count: usual('<number>', 'how many per provider: 1 to 1000', '20'),
    refused: toggle('only refused requests'),
  },
  help: `
Requests are kept for 7 days, at most 1,000 per account, and are listed a second after they were answered. Attribute
names, ids and states are shown; other values, such as names and addresses of people, are not kept.

Example:
  soundings scim log --account 4001 --refused
`,
  load: () => import('../../store/provisioning/provisioning-log.ts'),
  async act({ context, input }, { requestsKept, provisioningRequests }) {
    const count = countOf(1, requestsKept)(input.count, '--count');
    const requests = await provisioningRequests(context.db, input.account, context.now());
    const wanted = input.refused ? requests.filter(({ refused }) => refused !== null) : requests;
    return byProvider(wanted).map(({ actor, who, requests: all }) => ({
      actor,
      who,
      requests: all.slice(-count),
      total: all.length,
    }));
  },
  json: (providers) =>
    providers.map(({ actor, who, requests: last }) => ({
      actor,
      name: who,
      requests: last.map(({ who: _, actor: __, atMs, ...rest }) => ({
        at: new Date(atMs).toISOString(),
        ...rest,
      })),
    })),
  says: (providers, { account, refused }) =>
    providers.length === 0
      ? `No provider has asked anything of account ${account} in the last 7 days${refused ? ' that was refused' : ''}. Requests without a valid credential reach no account; see the service's own log.`
      : providers.flatMap(({ actor, who, requests: last, total }) => [
          `${visible(who ?? 'unknown')} (${visible(actor)}): the last ${last.length} of ${total} requests`,
          indented(linesOf(last)),
        ]),
});

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

const check = plainVerb({
  about: 'send a running service the requests that Entra ID, Okta and others make',
  takes: {
    url: needed('<address>', 'the address the provider uses, such as https://soundings.example/scim/v2'),
    token: option('<token>', 'a provisioning token or an access token'),
    provider: option('<name>', 'only this one: entra, okta, pocket-id, ssosync or authentik'),
  },
  help: `
Without --token, the token is read from SOUNDINGS_PROVISIONING_TOKEN, where other users of the machine cannot see it.
Users and groups are created under separate names and removed again. Exit status 1 if a step fails.

Example:
  soundings scim check --url http://localhost:8080/scim/v2 --provider entra
`,
  load: () => import('./scim-check.ts'),
  act: (call, { checkService }) => checkService(call),
  json: ({ failed, sequences }) => ({ passed: failed === 0, sequences }),
  says: ({ sequences }) =>
    table([
      ['PROVIDER', 'SEQUENCE', 'STEP', 'STATUS', 'OUTCOME', 'WHY'],
      ...sequences.flatMap(({ provider, name, steps }) =>
        steps.map(({ step, times, status, outcome, faults }) => [
          provider,
          name,
          times === 1 ? step : `${step} (${times} times)`,
          status === null ? '-' : String(status),
          outcome,
          faults.join('; '),
        ]),
      ),
    ]),
  notice: ({ failed, steps, sequences }) => [
    ...sequences
      .flatMap(({ leftBehind }) => leftBehind)
      .map((path) => `${visible(path)} could not be removed; please remove it.`),
    ...(failed === 0 ? [`All ${steps} steps passed.`] : []),
  ],
  failure: ({ failed, steps }) =>
    failed === 0
      ? null
      : `${failed} of ${steps} steps failed. "soundings scim log --refused" shows how the service understood the requests.`,
});

export const scimFamily = family(
  'scim',
  'what identity providers did, and whether the service works with them',
  { log, check },
);
