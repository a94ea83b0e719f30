// The people of the demo account, so that the first look at user provisioning finds somebody. The examples of the API
// document name them by their ids, which an empty store gives out from its first one on.

import type { Context } from '../../context.ts';
import { createGroup } from '../../domain/provisioning/group.ts';
import { createUser } from '../../domain/provisioning/user.ts';
import { addGroup } from '../../store/provisioning/groups.ts';
import { UserCreation } from '../../store/provisioning/user-creation.ts';
import { once, type Step } from '../frame/start-patience.ts';
import { demoAccountId } from './demo-responses.ts';

const people = [
  { given: 'Ana', family: 'Lopes', externalId: 'acme-1001' },
  { given: 'Ben', family: 'Okafor', externalId: 'acme-1002' },
  { given: 'Chiara', family: 'Ricci', externalId: 'acme-1003' },
];

/** Members by their place among the people. */
const groups = [
  { displayName: 'Store managers', members: [0, 1] },
  { displayName: 'Seasonal staff', members: [2] },
];

export async function loadPeople(context: Context, step: Step = once): Promise<void> {
  const { db } = context;
  const creation = new UserCreation(db);
  const nowMs = context.now();
  const unnumbered = { accountId: demoAccountId, id: 0, nowMs };
  const stamp = () => ({ changeId: context.newId(), nowMs, actor: 'command line' });
  const ids: number[] = [];
  // One after the other, so that each has the id that the document says.
  for (const { given, family, externalId } of people) {
    const userName = `${given}.${family}@acme.example`.toLowerCase();
    const draft = {
      userName,
      externalId,
      name: { givenName: given, familyName: family },
      emails: [{ value: userName, type: 'work', primary: true }],
    };
    const { id } = await step(() => creation.create(createUser(draft, unnumbered), stamp()));
    ids.push(id);
  }
  for (const { displayName, members } of groups) {
    const joining = members.map((place) => ({ id: ids[place]!, type: 'User' as const }));
    await step(() => addGroup(db, createGroup({ displayName }, unnumbered), joining, stamp()));
  }
}
