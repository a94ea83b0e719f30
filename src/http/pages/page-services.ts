// What the endpoints of survey pages share.

import type { ReplicaCount } from '../../acts/access/throttle.ts';
import type { Context } from '../../context.ts';
import type { Sources } from '../../store/feedback/sources.ts';
import { PageFiles } from './page-files.ts';
import { PageTokens } from './page-tokens.ts';
import { PageVisits } from './page-visits.ts';
import { PageProtection } from './protection.ts';

export interface PageServices {
  readonly pageFiles: PageFiles;
  readonly pageTokens: PageTokens;
  readonly pageProtection: PageProtection;
  readonly pageVisits: PageVisits;
}

export function openPages(context: Context, sources: Sources, heartbeat: ReplicaCount): PageServices {
  const pageTokens = new PageTokens(context);
  return {
    pageFiles: new PageFiles(),
    pageTokens,
    pageProtection: new PageProtection(context, heartbeat, pageTokens.keys),
    pageVisits: new PageVisits({ context, sources, pageTokens, heartbeat }),
  };
}
