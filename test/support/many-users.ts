// Many users at once, the same ones every time: written through the store's own change, in large batches, because
// a million requests would take an hour.

import { createUser } from '../../src/domain/provisioning/user.ts';
import { openDb } from '../../src/store/open-db.ts';
import { createUsers } from '../../src/store/provisioning/new-users.ts';
import { recordOf } from '../../src/store/provisioning/user-record.ts';

/** Four letters that so many users have, at every size; each group only at its own place. */
const needles = { sw: 'Scho', ew: 'mann', co: 'bert' } as const;
const matchesOfNeedle = 500;

// Names are made of these, so that every three letters of a needle also stand in many names that do not match.
const syllables = [
  'ber',
  'wert',
  'lert',
  'scha',
  'schi',
  'hof',
  'man',
  'nan',
  'ann',
  'lin',
  'mei',
  'ster',
  'gar',
  'den',
  'tal',
  'bach',
  'stein',
  'wald',
  'feld',
  'kir',
  'ro',
  'sen',
  'hol',
  'zer',
  'mul',
  'ler',
  'kauf',
  'fisch',
  'we',
  'ber',
  'gold',
  'sil',
  'win',
  'ter',
  'som',
  'mer',
  'her',
  'bst',
  'os',
  'west',
  'nord',
  'sud',
  'ka',
  'pu',
  'zi',
  'do',
];
const givenNames = [
  'Ada',
  'Grace',
  'Alan',
  'Edsger',
  'Barbara',
  'Donald',
  'Margaret',
  'Niklaus',
  'Radia',
  'Ken',
];
const batchSize = 2_000;

export async function populate(databaseUrl: string, accountId: number, count: number): Promise<void> {
  const db = await openDb(databaseUrl, { timeoutMs: 120_000, poolSize: 2 });
  try {
    const random = randomOf(42);
    // Few users have no room for three groups of that size.
    const every = Math.max(4, Math.floor(count / matchesOfNeedle));
    const nowMs = Date.UTC(2026, 0, 1);
    for (let at = 0; at < count; at += batchSize) {
      const users = Array.from({ length: Math.min(batchSize, count - at) }, (_, index) => {
        const number = at + index;
        const user = createUser(
          {
            userName: `user.${number}@example.com`,
            name: { givenName: givenNames[number % 10]!, familyName: familyName(number % every, random) },
            emails: [{ value: `user.${number}@example.com`, type: 'work', primary: true }],
            phoneNumbers: [{ value: `+49 ${number}`, type: 'work' }],
          },
          { accountId, id: 0, nowMs },
        );
        return { ...recordOf(user), changeId: `population-${number}`, nowMs, actor: 'test' };
      });
      await db.write(createUsers, { accounts: [{ accountId, users }] });
    }
    // What a server does by itself after a while, so that its plans are those of a server that has run for a while.
    if (db.engine === 'postgres') {
      const { raw } = await import('sql-template-tag');
      await db.read(raw('analyze account_user'));
    }
  } finally {
    await db.close();
  }
}

function familyName(place: number, random: () => number): string {
  const plain = plainName(random);
  if (place === 0) return `${needles.sw}${plain}`;
  if (place === 1) return `${plain}${needles.ew}`;
  if (place === 2) return `${plain}${needles.co}ina`;
  return plain;
}

function plainName(random: () => number): string {
  for (;;) {
    const length = 2 + Math.floor(random() * 3);
    const name = Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]!).join('');
    const folded = name.toLowerCase();
    const isMatch =
      folded.startsWith(needles.sw.toLowerCase()) ||
      folded.endsWith(needles.ew) ||
      folded.includes(needles.co);
    if (!isMatch) return name[0]!.toUpperCase() + name.slice(1);
  }
}

/** The same numbers for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
