// Why somebody who comes back from an identity provider is not let in, by the code in the address. Loaded only then.

import type { ProviderRefusal } from '../../src/domain/access/connection.ts';

const en: Readonly<Record<ProviderRefusal, string>> = {
  stateMismatch:
    'This sign-in was begun in another browser, more than ten minutes ago, or before a newer one. Please begin again.',
  connectionGone: 'This way to sign in is no longer there. Choose another one.',
  connectionUnready: 'This way to sign in is not set up yet. Ask an admin of the account to finish it.',
  providerUnreachable:
    'Your identity provider did not answer as it should. Try again; if it stays so, ask an admin of the account.',
  providerError: 'Your identity provider did not let you in. Try again, or ask whoever looks after it.',
  codeRefused: 'Your identity provider did not take back the code that it gave. Please begin again.',
  issuerMismatch: 'Another identity provider answered than the one that was asked. Please begin again.',
  tokenMismatch:
    'What your identity provider said does not fit this sign-in. Begin again; if it stays so, ask an admin of the account.',
  tokenExpired: 'What your identity provider said had expired. Please begin again.',
  notFresh: 'Your identity provider did not ask you to sign in again. Please begin again.',
  authTimeMissing:
    'Your identity provider did not say when you signed in there, so it cannot count as fresh. Confirm with a passkey or password instead, or ask whoever looks after the provider to send the claim auth_time.',
  claimMissing:
    'Your identity provider does not say what this account knows its users by. Ask an admin of the account.',
  noMatch:
    'Your identity provider knows you, but no user who may sign in here has the externalId that it says. Ask an admin of the account to provision you.',
  noExternalId:
    'There is a user of your name, but without an externalId, so nobody can be linked. Ask an admin of the account to provision it.',
  otherConnection:
    'You belong to another connection of this account. Sign in through that one, or ask an admin of the account to change it.',
  onlyOther: 'This account is entered through another connection alone. Sign in through that one.',
};

const de: typeof en = {
  stateMismatch:
    'Diese Anmeldung begann in einem anderen Browser, vor mehr als zehn Minuten oder vor einer neueren. Bitte beginnen Sie noch einmal.',
  connectionGone: 'Diesen Weg zur Anmeldung gibt es nicht mehr. Wählen Sie einen anderen.',
  connectionUnready:
    'Dieser Weg zur Anmeldung ist noch nicht eingerichtet. Bitten Sie die Administration des Kontos darum.',
  providerUnreachable:
    'Ihr Identitätsanbieter hat nicht so geantwortet, wie er soll. Versuchen Sie es noch einmal; bleibt es so, fragen Sie die Administration des Kontos.',
  providerError:
    'Ihr Identitätsanbieter hat Sie nicht eingelassen. Versuchen Sie es noch einmal, oder fragen Sie, wer ihn betreut.',
  codeRefused:
    'Ihr Identitätsanbieter nahm den Code, den er gab, nicht wieder an. Bitte beginnen Sie noch einmal.',
  issuerMismatch:
    'Ein anderer Identitätsanbieter hat geantwortet als der gefragte. Bitte beginnen Sie noch einmal.',
  tokenMismatch:
    'Was Ihr Identitätsanbieter sagte, passt nicht zu dieser Anmeldung. Beginnen Sie noch einmal; bleibt es so, fragen Sie die Administration des Kontos.',
  tokenExpired: 'Was Ihr Identitätsanbieter sagte, war abgelaufen. Bitte beginnen Sie noch einmal.',
  notFresh: 'Ihr Identitätsanbieter hat keine neue Anmeldung verlangt. Bitte beginnen Sie noch einmal.',
  authTimeMissing:
    'Ihr Identitätsanbieter hat nicht gesagt, wann Sie sich dort angemeldet haben; darum gilt es nicht als frisch. Bestätigen Sie mit Passkey oder Passwort, oder bitten Sie, wer den Anbieter betreut, den Claim auth_time zu senden.',
  claimMissing:
    'Ihr Identitätsanbieter sagt nicht, woran dieses Konto seine Benutzer erkennt. Fragen Sie die Administration des Kontos.',
  noMatch:
    'Ihr Identitätsanbieter kennt Sie, aber kein Benutzer, der sich hier anmelden darf, hat die externalId, die er nennt. Bitten Sie die Administration des Kontos, Sie anzulegen.',
  noExternalId:
    'Es gibt einen Benutzer Ihres Namens, aber ohne externalId; so lässt sich niemand zuordnen. Bitten Sie die Administration des Kontos, sie einzutragen.',
  otherConnection:
    'Sie gehören zu einer anderen Verbindung dieses Kontos. Melden Sie sich über jene an, oder bitten Sie die Administration des Kontos, das zu ändern.',
  onlyOther: 'Dieses Konto wird nur über eine andere Verbindung betreten. Melden Sie sich über jene an.',
};

const fr: typeof en = {
  stateMismatch:
    'Cette connexion a commencé dans un autre navigateur, il y a plus de dix minutes, ou avant une plus récente. Veuillez recommencer.',
  connectionGone: 'Ce moyen de connexion n’existe plus. Choisissez-en un autre.',
  connectionUnready:
    'Ce moyen de connexion n’est pas encore prêt. Demandez à l’administration du compte de le terminer.',
  providerUnreachable:
    'Votre fournisseur d’identité n’a pas répondu comme il le devrait. Réessayez ; si cela persiste, demandez à l’administration du compte.',
  providerError:
    'Votre fournisseur d’identité ne vous a pas laissé entrer. Réessayez, ou demandez à la personne qui s’en occupe.',
  codeRefused: 'Votre fournisseur d’identité n’a pas repris le code qu’il avait donné. Veuillez recommencer.',
  issuerMismatch: 'Un autre fournisseur d’identité que celui demandé a répondu. Veuillez recommencer.',
  tokenMismatch:
    'Ce qu’a dit votre fournisseur d’identité ne correspond pas à cette connexion. Recommencez ; si cela persiste, demandez à l’administration du compte.',
  tokenExpired: 'Ce qu’a dit votre fournisseur d’identité avait expiré. Veuillez recommencer.',
  notFresh: 'Votre fournisseur d’identité n’a pas demandé de nouvelle connexion. Veuillez recommencer.',
  authTimeMissing:
    'Votre fournisseur d’identité n’a pas dit quand vous vous y êtes connecté ; cela ne compte donc pas comme récent. Confirmez par une clé d’accès ou un mot de passe, ou demandez à qui s’occupe du fournisseur d’envoyer la revendication auth_time.',
  claimMissing:
    'Votre fournisseur d’identité ne dit pas à quoi ce compte reconnaît ses utilisateurs. Demandez à l’administration du compte.',
  noMatch:
    'Votre fournisseur d’identité vous connaît, mais aucun utilisateur autorisé ici n’a l’externalId qu’il indique. Demandez à l’administration du compte de vous créer.',
  noExternalId:
    'Un utilisateur porte votre nom, mais sans externalId ; personne ne peut être rapproché. Demandez à l’administration du compte de l’ajouter.',
  otherConnection:
    'Vous dépendez d’une autre connexion de ce compte. Connectez-vous par celle-ci, ou demandez à l’administration du compte de la changer.',
  onlyOther: 'On entre dans ce compte par une autre connexion seulement. Connectez-vous par celle-ci.',
};

export const refusals = { en, de, fr };
