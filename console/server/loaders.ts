// The pages that the server draws; all others it only leads to. In the place of pages/loaders.ts.

import { consolePages, type PageName } from '../../src/domain/console/page-paths.ts';
import type { PageModule } from '../pages/loaders.ts';

async function drawnByBrowser(): Promise<PageModule> {
  throw new Error('This page is drawn by the browser alone.');
}

export const loaders: Readonly<Record<string, () => Promise<PageModule>>> = {
  ...Object.fromEntries((Object.keys(consolePages) as PageName[]).map((name) => [name, drawnByBrowser])),
  overview: () => import('../pages/insight/overview.tsx'),
};
