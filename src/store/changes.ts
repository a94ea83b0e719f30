// Every change the store can make, by name: the writer thread is handed a name and an input, because a function
// cannot be posted to it. A test holds this list against the generators that the store's files export.

import * as audit from './audit.ts';
import * as catalogue from './catalogue.ts';
import * as clients from './clients.ts';
import type { Change } from './db.ts';
import * as erase from './erase.ts';
import * as external from './external.ts';
import * as groups from './groups.ts';
import * as keys from './keys.ts';
import * as log from './log.ts';
import * as logHistory from './log-history.ts';
import * as migrate from './migrate.ts';
import * as provisioning from './provisioning.ts';
import * as provisioningLog from './provisioning-log.ts';
import * as replicas from './replicas.ts';
import * as userDeletion from './user-deletion.ts';
import * as userKeys from './user-keys.ts';
import * as userRecord from './user-record.ts';
import * as users from './users.ts';

// biome-ignore lint/suspicious/noExplicitAny: each change has its own input; `write` is where they are held together.
type AnyChange = Change<any, unknown>;

const generatorFunction = Object.getPrototypeOf(function* empty() {}).constructor;

function changesOf(room: Record<string, unknown>): AnyChange[] {
  return Object.values(room).filter((member): member is AnyChange => member instanceof generatorFunction);
}

export const changes: ReadonlyMap<string, AnyChange> = new Map(
  [
    audit,
    catalogue,
    clients,
    erase,
    external,
    groups,
    keys,
    log,
    logHistory,
    migrate,
    provisioning,
    provisioningLog,
    replicas,
    userDeletion,
    userKeys,
    userRecord,
    users,
  ]
    .flatMap(changesOf)
    .map((change) => [change.name, change]),
);
