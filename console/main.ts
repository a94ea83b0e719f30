// What the address asks for: a one-time link, the sign-in, a page for whoever has a link to it, or the console itself.

import { takeCode } from './addresses.ts';
import { loadLanguage } from './language.ts';

async function start(): Promise<void> {
  // Its code is of another kind than those below.
  if (location.pathname === '/setup') {
    const [setup] = await Promise.all([import('./pages/provider/setup.tsx'), loadLanguage()]);
    return setup.startSetup();
  }
  if (location.pathname === '/shared') {
    const [shared] = await Promise.all([import('./pages/reading/shared.tsx'), loadLanguage()]);
    return shared.startShared();
  }
  const code = takeCode();
  if (code !== null) {
    const [link] = await Promise.all([import('./link-page.ts'), loadLanguage()]);
    return link.openLink(code);
  }
  if (location.pathname === '/console/sign-in') {
    const [signIn, { show }] = await Promise.all([
      import('./sign-in.ts'),
      import('./door.ts'),
      loadLanguage(),
    ]);
    await signIn.loadSignIn();
    return show(signIn.signInPage);
  }
  const [app] = await Promise.all([import('./frame/app.tsx'), loadLanguage()]);
  await app.startApp();
}

// A link may be pasted into the address of a page that is open already.
addEventListener('hashchange', () => /^#\d+\./.test(location.hash) && void start());
void start();
