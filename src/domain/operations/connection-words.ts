// What can be the matter with a connection to an identity provider, in English: the console says it where the connection is
// shown, and "soundings doctor" with the connection's name before it.

export interface ConnectionOf {
  readonly id: string;
  readonly account: number;
}

export const connectionWords = {
  noSecret: () => 'nobody can sign in: the connection has no client secret yet.',
  provider: ({ reason }: { reason: string }) => `nobody can sign in: ${reason}.`,
  keyLost: ({ kid, ...of }: ConnectionOf & { kid: string }) =>
    `its client secret cannot be opened. What the sealing key ${kid} has sealed cannot be opened: the key is neither in SOUNDINGS_SEAL_KEY nor in the store. Or set it anew: ${secretCommand(of)}`,
  secretLost: (of: ConnectionOf) =>
    `its client secret is not what was sealed. Set it anew: ${secretCommand(of)}`,
  clock: ({ seconds, side }: ClockApart) =>
    `the clock of its provider is ${seconds} s ${side === 'ahead' ? 'ahead of' : side} this one, and ID tokens have a time: set both by NTP.`,
};

export interface ClockApart {
  readonly seconds: number;
  readonly side: 'ahead' | 'behind';
}

function secretCommand({ id, account }: ConnectionOf): string {
  return `soundings connection secret ${id} --account ${account}`;
}
