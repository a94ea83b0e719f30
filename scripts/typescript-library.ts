// The TypeScript compiler as a library, under the name that generators of clients expect: see client-types.ts and test/support/generate-clients.ts.

import { ts } from '@ts-morph/common';

export default ts;
