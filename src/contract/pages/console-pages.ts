// The pages of the console, those for whoever has a link, and the files that they are made of.

import { consolePages, type PageName } from '../../domain/console/page-paths.ts';
import { type OperationKey, serviceOperations } from '../operation.ts';
import { assetTypes, builtFile, openPage } from './open-page.ts';

export const consolePageOperations = serviceOperations({
  'GET /console/sign-in': openPage,
  // For whoever has a set-up link; the code is in the fragment, which nobody sends (D-600).
  'GET /setup': openPage,
  // For whoever has the link of a shared view (D-554).
  'GET /shared': openPage,
  'GET /console/assets/:file': builtFile(assetTypes),
});

/** For whoever is signed in: a page for each address that `consolePages` has. */
export const signedInPageOperations = serviceOperations(
  Object.fromEntries(pathsOfPages().map((path) => [`GET ${path}`, openPage])) as Record<
    OperationKey,
    typeof openPage
  >,
);

/** Each as the router writes it. */
function pathsOfPages(): readonly string[] {
  return (Object.keys(consolePages) as PageName[]).flatMap((name) => {
    const { path } = consolePages[name];
    const [, choice, values = ''] = /(:\w+\(([^)]*)\))/.exec(path) ?? [];
    return choice === undefined ? path : values.split('|').map((value) => path.replace(choice, value));
  });
}
