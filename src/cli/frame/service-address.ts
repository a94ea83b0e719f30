// Where the service is reached, for links that verbs hand out: what a running one says beside its heartbeat, not what the
// environment of the verb says (D-891).

import { ConsoleAddress, consoleAddress } from '../../acts/access/console-address.ts';
import type { Context } from '../../context.ts';
import { isLoopbackUrl, PublicUrl } from '../../domain/operations/public-url.ts';
import {
  factsBytesMax,
  type ReplicaAddresses,
  readReplicaFacts,
} from '../../domain/operations/replica-facts.ts';
import { toldFacts } from '../../store/engine/replicas.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** A replica writes every two seconds; its clock may be another's. */
const aliveMs = 30_000;
const replicasRead = 100;

/** Of the replica that wrote last; null where none runs. */
export async function runningAddresses({ db, now }: Context): Promise<ReplicaAddresses | null> {
  const told = await toldFacts(db, [], { bytesMax: factsBytesMax, take: replicasRead });
  for (const { atMs, facts } of told) {
    if (Math.abs(now() - atMs) > aliveMs) continue;
    const addresses = readReplicaFacts(facts)?.addresses;
    if (addresses != null) return addresses;
  }
  return null;
}

/** Where people sign in. */
export async function runningConsole(context: Context): Promise<ConsoleAddress> {
  const running = await runningAddresses(context);
  if (running === null) return consoleAddress(context.config);
  const { api, console } = running;
  return new ConsoleAddress(new PublicUrl(console ?? api), { consolePlainHttp: console !== null });
}

/** The base of links to surveys: what --url says, else where the service runs, else what the settings say. */
export async function pagesAddress(
  terminal: Terminal,
  context: Context,
  { url, isForOthers }: { readonly url: string | undefined; readonly isForOthers: boolean },
): Promise<string> {
  if (url !== undefined) return context.config.publicUrl;
  const running = (await runningAddresses(context))?.pages ?? '';
  const isUsable = running !== '' && !(isForOthers && isLoopbackUrl(running));
  const base = isUsable ? running : context.config.publicUrl;
  if (base === '')
    throw new CommandError(
      'Links need the address at which people reach the service: set SOUNDINGS_PUBLIC_URL, or give it with --url https://feedback.example.',
    );
  if (isLoopbackUrl(base))
    terminal.tell('The link opens on this machine alone; for a phone start "soundings serve --lan".');
  return base;
}
