export const texts = {
  freshAsked: 'This step needs a fresh sign-in. You will return to this page.',
  freshUnknown:
    'This step needs a fresh sign-in, and your identity provider did not say when you signed in there. Confirm it is you; if that does not help, use a passkey or password, or ask whoever looks after the provider to send the claim auth_time.',
  confirm: 'Confirm it is you',
  connection: {
    lost: 'The service cannot be reached. What you see may be out of date; the page reconnects by itself.',
    busy: 'You are sending more requests than the service allows. The page continues in a moment.',
    maintenance: 'The service is under maintenance. Nothing is lost; please wait.',
    signedOut: 'Your session has ended.',
  },
  comeBack: 'You signed in with a link that works once.',
  addPasskey: 'Add a passkey for next time',
  dismiss: 'Not now',
  keysTitle: 'Keyboard shortcuts',
  keyHelp: 'Show these shortcuts',
  keySearch: 'Search',
  keyGo: (page: string): string => `Go to: ${page}`,
  searchTitle: 'Go to',
  searchHint: 'A measure, a project, a page',
  nothingFound: 'Nothing matches.',
  signIn: 'Sign in',
};

/** A language that lacks one of these does not compile. */
export type LaterTexts = typeof texts;
