import type { ProblemTexts } from './en.ts';

export const texts: ProblemTexts = {
  problems: {
    SIGN_IN_REFUSED: 'Das passte nicht. Prüfen Sie Ihre Eingaben und versuchen Sie es noch einmal.',
    PASSKEY_REFUSED:
      'Dieser Passkey öffnet hier nichts. Wählen Sie einen anderen oder einen anderen Weg zur Anmeldung.',
    PASSKEY_QUESTION_ENDED:
      'Das hat zu lange gedauert oder wurde schon beantwortet. Bitte versuchen Sie es noch einmal.',
    PASSKEY_COUNTED_BACK:
      'Ihr Passkey hat rückwärts gezählt, wie es eine Kopie täte. Melden Sie sich auf anderem Weg an, entfernen Sie ihn und fügen Sie ihn neu hinzu.',
    SIGN_IN_REQUIRED: 'Ihre Sitzung ist beendet. Bitte melden Sie sich wieder an.',
    THROTTLED: 'Zu viele Versuche. Warten Sie einen Moment und versuchen Sie es noch einmal.',
    UNREACHABLE:
      'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    MAINTENANCE: 'Der Dienst wird gerade gewartet. Bitte kommen Sie später wieder.',
    USER_NAME_TAKEN: 'Ein anderer Benutzer des Kontos heißt schon so. Wählen Sie einen anderen Namen.',
    GROUP_NAME_TAKEN: 'Eine andere Gruppe des Kontos heißt schon so. Wählen Sie einen anderen Namen.',
    INTERNAL_ERROR:
      'Der Dienst ist gescheitert. Versuchen Sie es noch einmal und nennen Sie die Anfrage unten, wenn es so bleibt.',
  },
  general: {
    ABILITY_MISSING:
      'Keine Ihrer Rollen erlaubt das. Bitten Sie die Administration des Kontos um eine, die es erlaubt.',
    CONFLICT: 'Das widerspricht dem jetzigen Stand.',
    NO_ANSWER:
      'Der Dienst antwortet gerade nicht. Versuchen Sie es noch einmal und nennen Sie die Anfrage unten, wenn es so bleibt.',
  },
  conflictToDo:
    'Sehen Sie nach, wie es jetzt steht, und versuchen Sie es noch einmal. Ihre Eingaben sind noch da.',
  faults: {
    INVALID_LENGTH: 'Ein Passwort hat 15 bis 256 Zeichen.',
    INVALID_TEXT: 'Ein Passwort enthält keine Tabulatoren und Zeilenumbrüche.',
    TOO_COMMON:
      'Andere haben dieses Passwort, oder es ist leicht zu erraten. Einige Wörter, die nicht zusammengehören, sind sicherer.',
  },
  failed: 'Das hat nicht geklappt.',
  request: 'Anfrage',
};
