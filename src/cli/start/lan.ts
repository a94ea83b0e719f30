// The address of this machine in its network, where a phone finds it (D-893).

import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { CommandError } from '../frame/terminal.ts';

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Bridges and tunnels of this machine lead to no phone. */
const inward = /^(docker|br-|veth|virbr|vmnet|vboxnet|tun|tap|utun|wg|zt|tailscale)/;
const inHomes = /^(192\.168\.|10\.|172\.(1[6-9]|2\d|3[01])\.)/;

/** The settings of `serve --lan`. */
export function lanSettings(): { readonly host: string; readonly lanHost: string } {
  const lanHost = lanAddress(networkInterfaces());
  if (lanHost !== null) return { host: '0.0.0.0', lanHost };
  throw new CommandError(
    'This machine has no address in a network that a phone could reach. Connect it to one, or serve without --lan.',
  );
}

/** IPv4, one of those that homes and offices use before any other; null where there is none. */
export function lanAddress(interfaces: Interfaces): string | null {
  const addresses = Object.entries(interfaces)
    .filter(([name]) => !inward.test(name))
    .flatMap(([, some = []]) => some)
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  return addresses.find((address) => inHomes.test(address)) ?? addresses[0] ?? null;
}
