// What has to be entered at an identity provider: addresses of this service.

import { type ConsoleAddress, callbackPath } from './console-address.ts';

export function addressesOf(address: ConsoleAddress, accountId: number, connectionId: string | null) {
  return {
    scim: address.to('/scim/v2'),
    callback: address.to(callbackPath),
    signOut: address.to('/console/sign-in'),
    backChannel: connectionId === null ? null : address.to(`/console/logout/${accountId}/${connectionId}`),
    isReachable: address.isSecure && !address.isLoopback,
  };
}
