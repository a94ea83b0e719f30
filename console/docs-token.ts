// The button on /docs for whoever is signed in to the console: a token for fifteen minutes, with which the requests on the page can
// be tried. It is kept in this page alone. The page around it is in English, and so is this.

import { abilitiesWithToken } from '../src/domain/access/role.ts';
import { signInPath } from './addresses.ts';
import { call, Refusal } from './call.ts';
import { h } from './html.ts';

interface Reference {
  updateConfiguration(configuration: object): void;
}

async function start(): Promise<void> {
  const session = await call('GET /session').catch(() => null);
  const mayHaveOne = abilitiesWithToken.some((ability) => session?.abilities.includes(ability));
  if (session?.account != null && mayHaveOne) document.body.prepend(bar(session.account.name));
}

function bar(account: string): HTMLElement {
  const words = h('span', { 'aria-live': 'polite' }, `You are signed in to ${account}.`);
  const button: HTMLButtonElement = h(
    'button',
    {
      type: 'button',
      click: async () => {
        button.disabled = true;
        await take(words).catch((error: unknown) => {
          words.replaceChildren(...refusalWords(error));
        });
        button.disabled = false;
      },
    },
    'Use a token of mine for 15 minutes',
  );
  const element = h('section', { 'aria-label': 'Access token' }, words, button);
  const look = {
    display: 'flex',
    gap: '0.5rem 1rem',
    padding: '0.5rem 1rem',
    borderBottom: '1px solid #8886',
  };
  Object.assign(element.style, look, { flexWrap: 'wrap', alignItems: 'center', font: '1rem/1.5 system-ui' });
  return element;
}

function refusalWords(error: unknown): readonly (string | HTMLElement)[] {
  if (!(error instanceof Refusal)) return ['No token could be made. Try again.'];
  if (error.code !== 'FRESH_SIGN_IN_REQUIRED') return [error.message];
  // In a tab of its own, so that what was entered on this page stays.
  const link = h('a', { href: `${signInPath}?fresh=1`, target: '_blank' }, 'Confirm it is you');
  return ['A token needs a sign-in of the last 15 minutes. ', link, ', then come back and click again.'];
}

async function take(words: HTMLElement): Promise<void> {
  const { token, expires, grants } = await call('POST /access-token');
  const copy: HTMLElement = h(
    'button',
    {
      type: 'button',
      click: async () => {
        await navigator.clipboard.writeText(token);
        copy.textContent = 'Copied';
      },
    },
    'Copy the token',
  );
  const until = new Date(expires).toLocaleTimeString('en');
  words.replaceChildren(
    `Requests on this page are sent with your token until ${until}. It opens ${grants.join(', ')}. `,
    copy,
  );
  const { soundingsReference } = globalThis as unknown as { readonly soundingsReference: Reference };
  soundingsReference.updateConfiguration({
    url: '/openapi.json',
    authentication: {
      preferredSecurityScheme: 'accessToken',
      securitySchemes: { accessToken: { token } },
    },
  });
}

void start();
