// Every endpoint that the service declares, as the service itself lists them: for promises that hold for all of them.

import pino from 'pino';
import { buildContext } from '../../src/cli/frame/open-context.ts';
import { readConfig } from '../../src/config.ts';
import { passkeyRoutes } from '../../src/domain/access/passkey-demand.ts';
import { buildApp, openServices } from '../../src/http/app.ts';
import { freshAtTimes, freshRoutes } from '../../src/http/console/sign-in/fresh-routes.ts';
import { openDb } from '../../src/store/open-db.ts';

export interface DeclaredRoute {
  /** `POST /console/api/api-clients/:clientId/rotate` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly area: string;
  /** Who calls it: anyone, an API client, a survey's page, whoever has a shared link, a caller with a grant, somebody who signs in or has. */
  readonly callers: 'anyone' | 'apiClient' | 'survey' | 'sharedView' | 'grant' | 'signingIn' | 'signedIn';
  readonly isExemptFromOrigin: boolean;
  /** Why it asks for a fresh sign-in; null where it does not, or not always. */
  readonly freshReason: string | null;
  /** When it does, where that depends. */
  readonly freshAtTimes: string | null;
  /** Open to whoever has to add a passkey first. */
  readonly addsPasskey: boolean;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
}

export async function declaredRoutes(): Promise<readonly DeclaredRoute[]> {
  const databaseUrl = 'sqlite::memory:';
  const reading = readConfig({
    flags: {},
    env: { DATABASE_URL: databaseUrl },
    file: {},
    readFile: () => '',
  });
  if (!('config' in reading)) throw new Error('The defaults are not valid.');
  const db = await openDb(databaseUrl, { timeoutMs: 1_000, poolSize: 1 });
  try {
    const context = { ...(await buildContext(reading.config, db)), log: pino({ level: 'silent' }) };
    const { endpoints } = buildApp(openServices(context));
    return endpoints.map(({ method, path, area, access, consumes = [], produces = [] }) => ({
      name: `${method} ${path}`,
      method,
      path,
      area,
      callers: typeof access === 'string' ? access : 'people' in access ? access.people : ('grant' as const),
      isExemptFromOrigin:
        typeof access === 'object' && 'people' in access && access.isExemptFromOrigin === true,
      freshReason: freshRoutes[`${method} ${path}`] ?? null,
      freshAtTimes: freshAtTimes[`${method} ${path}`] ?? null,
      addsPasskey: passkeyRoutes.has(`${method} ${path}`),
      consumes,
      produces,
    }));
  } finally {
    await db.close();
  }
}
