// soundings restore: a backup in the place of a store that is not there, and what is lost by it.

import { numberText } from '../frame/progress.ts';
import { argument, option } from '../frame/takes.ts';
import { plainVerb } from '../frame/verb.ts';
import { withoutManifest } from './verify.ts';

export const restore = plainVerb({
  about: 'restore a backup to a place where there is no store',
  takes: {
    file: argument('the backup'),
    to: option('<path>', 'file of the new store (default: that of DATABASE_URL)'),
    compare: option('<path>', 'the old store, moved away: show what it has that the backup does not'),
  },
  help: `
Nothing is overwritten: if there is a store already, the command says what it has that the backup does not, and how to
move it out of the way. The backup is checked first, and the store only appears once it is complete. Its schema is
brought up to date. Everything done after the backup is undone: responses, users, erasures, revoked keys and tokens.

Examples:
  soundings restore soundings-000042-20260131T020000Z.db
  soundings restore soundings-000042-20260131T020000Z.db --to /tmp/drill.db
  soundings restore yesterday.db --compare data/soundings.db.old
`,
  load: () => import('./restoration.ts'),
  act: (call, { restoreStore }) => restoreStore(call),
  json: ({ place, file, manifest, steps, content, lost }) => ({
    ...{ store: place, backup: file, at: manifest?.at ?? null, steps },
    ...{ counts: content.counts, lost },
  }),
  says: ({ place, content, manifest }) => {
    const { responses, users } = content.counts;
    return `${place} is restored: ${numberText(responses)} responses and ${numberText(users)} users${manifest === null ? '' : `, as of ${manifest.at}`}.`;
  },
  hint: ({ manifest, lines }) => [...(manifest === null ? [withoutManifest] : []), ...lines],
});
