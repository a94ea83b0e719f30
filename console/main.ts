// What the address asks for: a one-time link, the sign-in, a page for whoever has a link to it, or the console itself.

import { takeCode } from './addresses.ts';
import { chooseLanguage } from './language.ts';

async function start(): Promise<void> {
  chooseLanguage();
  // Its code is of another kind than those below.
  if (location.pathname === '/setup') {
    const { startSetup } = await import('./pages/provider/setup.tsx');
    return startSetup();
  }
  if (location.pathname === '/shared') {
    const { startShared } = await import('./pages/reading/shared.tsx');
    return startShared();
  }
  const code = takeCode();
  if (code !== null) {
    const { openLink } = await import('./link-page.ts');
    return openLink(code);
  }
  if (location.pathname === '/console/sign-in') {
    const { openSignIn } = await import('./sign-in.ts');
    return openSignIn();
  }
  const { startApp } = await import('./frame/app.tsx');
  await startApp();
}

// A link may be pasted into the address of a page that is open already.
addEventListener('hashchange', () => /^#\d+\./.test(location.hash) && void start());
void start();
