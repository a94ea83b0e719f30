// The peer: scimmy-routers on express, with a thousand users in memory. A program of its own; it prints its port.
// The packages are looked for beside this file, or in the folder that BENCH_PEERS names.

import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

// The peers have no types that we could check against, and are not installed everywhere.
// biome-ignore lint/suspicious/noExplicitAny: see above.
type Foreign = any;

const load = createRequire(process.env.BENCH_PEERS ?? import.meta.url);
const express: Foreign = load('express');
const SCIMMY: Foreign = load('scimmy').default ?? load('scimmy');
const Routers: Foreign = load('scimmy-routers').default ?? load('scimmy-routers');

const users = new Map<string, Foreign>();
for (let number = 0; number < 1_000; number += 1) {
  const id = String(number);
  users.set(id, {
    id,
    userName: `user.${number}@example.com`,
    externalId: `employee-${number}`,
    active: true,
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: `user.${number}@example.com`, type: 'work', primary: true }],
    meta: { created: new Date(), lastModified: new Date() },
  });
}

SCIMMY.Resources.declare(SCIMMY.Resources.User)
  .ingress(async (resource: Foreign, data: Foreign) => {
    const kept = { ...users.get(resource.id), ...JSON.parse(JSON.stringify(data)), id: resource.id };
    users.set(resource.id, kept);
    return kept;
  })
  .egress(async (resource: Foreign) => {
    if (resource.id) return users.get(resource.id);
    const all = [...users.values()];
    return resource.filter ? resource.filter.match(all) : all;
  })
  .degress(() => {});

const app = express();
app.use('/scim', new Routers({ type: 'bearer', handler: () => 'bench' }));
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
