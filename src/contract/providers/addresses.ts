// What has to be entered at an identity provider: addresses of this service.

import { Type } from '../schema.ts';

export const addressesSchema = Type.Object(
  {
    scim: Type.String({ description: 'The tenant URL, or base URL, of SCIM 2.0.' }),
    callback: Type.String({ description: 'The redirect URI of OpenID Connect.' }),
    signOut: Type.String({ description: 'The redirect URI after a sign-out.' }),
    backChannel: Type.Union([Type.String(), Type.Null()], {
      description: 'The back-channel logout URL of the connection; null where there is none yet.',
    }),
    isReachable: Type.Boolean({
      description:
        'False where the address is of this machine alone, and no provider on the internet comes here.',
    }),
  },
  { $id: 'ProviderAddresses' },
);
