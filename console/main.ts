// The pages of the console: which of them the address asks for.

import { takeCode, toSignIn } from './addresses.ts';
import { show } from './frame.ts';
import { loadLanguage } from './language.ts';

async function start(): Promise<void> {
  const code = takeCode();
  if (code !== null) {
    const [link] = await Promise.all([import('./link-page.ts'), loadLanguage()]);
    return link.openLink(code);
  }
  if (location.pathname === '/console/sign-in') {
    const [signIn] = await Promise.all([import('./sign-in.ts'), loadLanguage()]);
    await signIn.loadSignIn();
    return show(signIn.signInPage);
  }
  const [me] = await Promise.all([import('./me.ts'), loadLanguage()]);
  if (await me.loadMe()) return show(me.mePage);
  toSignIn(false);
}

// A link may be pasted into the address of a page that is open already.
addEventListener('hashchange', () => location.hash !== '' && void start());
void start();
