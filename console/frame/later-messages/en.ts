export const texts = {
  freshAsked: 'This step asks for a fresh sign-in. You come back to where you are.',
  confirm: 'Confirm it is you',
  connection: {
    lost: 'The service cannot be reached. What you see may be old; it goes on by itself.',
    busy: 'You ask more than the service answers at once. It goes on in a moment.',
    maintenance: 'The service is in maintenance. Nothing is lost; please wait.',
    signedOut: 'Your session has ended.',
  },
  comeBack: 'You came by a link that works once.',
  addPasskey: 'Add a passkey to come back',
  dismiss: 'Not now',
  keysTitle: 'Keys',
  keyHelp: 'Show these keys',
  keySearch: 'Search',
  keyGo: (page: string): string => `Go to: ${page}`,
  searchTitle: 'Go to',
  searchHint: 'A measure, a project, a page',
  nothingFound: 'Nothing is called so.',
  signIn: 'Sign in',
};

/** A language that lacks one of these does not compile. */
export type LaterTexts = typeof texts;
