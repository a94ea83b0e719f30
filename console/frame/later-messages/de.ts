import type { LaterTexts } from './en.ts';

export const texts: LaterTexts = {
  freshAsked: 'Dieser Schritt verlangt eine frische Anmeldung. Danach geht es hier weiter.',
  freshUnknown:
    'Dieser Schritt verlangt eine frische Anmeldung, und Ihr Identitätsanbieter hat nicht gesagt, wann Sie sich dort angemeldet haben. Bestätigen Sie, dass Sie es sind; hilft das nicht, nehmen Sie Passkey oder Passwort, oder bitten Sie, wer den Anbieter betreut, den Claim auth_time zu senden.',
  confirm: 'Bestätigen, dass Sie es sind',
  connection: {
    lost: 'Der Dienst ist nicht erreichbar. Was Sie sehen, kann veraltet sein; es geht von selbst weiter.',
    busy: 'Sie fragen mehr, als der Dienst auf einmal beantwortet. Gleich geht es weiter.',
    maintenance: 'Der Dienst wird gewartet. Nichts geht verloren; bitte warten Sie.',
    signedOut: 'Ihre Sitzung ist beendet.',
  },
  comeBack: 'Sie sind mit einem Link gekommen, der nur einmal gilt.',
  addPasskey: 'Passkey anlegen, um wiederzukommen',
  dismiss: 'Jetzt nicht',
  keysTitle: 'Tasten',
  keyHelp: 'Diese Tasten zeigen',
  keySearch: 'Suchen',
  keyGo: (page) => `Gehe zu: ${page}`,
  searchTitle: 'Gehe zu',
  searchHint: 'Eine Messung, ein Projekt, eine Seite',
  nothingFound: 'So heißt hier nichts.',
  signIn: 'Anmelden',
};
