// The pages of the console: which of them the address asks for.

import { takeCode, toSignIn } from './addresses.ts';
import { show } from './frame.ts';
import { loadLanguage } from './language.ts';
import { openLink } from './link-page.ts';
import { loadSignIn, signInPage } from './sign-in.ts';

async function start(): Promise<void> {
  const code = takeCode();
  if (code !== null) {
    await loadLanguage();
    return openLink(code);
  }
  if (location.pathname === '/console/sign-in') {
    await Promise.all([loadLanguage(), loadSignIn()]);
    return show(signInPage);
  }
  const [me] = await Promise.all([import('./me.ts'), loadLanguage()]);
  if (await me.loadMe()) return show(me.mePage);
  toSignIn(false);
}

// A link may be pasted into the address of a page that is open already.
addEventListener('hashchange', () => location.hash !== '' && void start());
void start();
