import type { LaterTexts } from './en.ts';

export const texts: LaterTexts = {
  freshAsked: 'Cette étape demande une connexion récente. Vous reviendrez ici.',
  freshUnknown:
    'Cette étape demande une connexion récente, et votre fournisseur d’identité n’a pas dit quand vous vous y êtes connecté. Confirmez votre identité ; si cela ne suffit pas, utilisez une clé d’accès ou un mot de passe, ou demandez à qui s’occupe du fournisseur d’envoyer la revendication auth_time.',
  confirm: 'Confirmer votre identité',
  connection: {
    lost: 'Le service est injoignable. Ce que vous voyez est peut-être ancien ; la suite vient d’elle-même.',
    busy: 'Vous demandez plus que le service ne répond à la fois. La suite vient dans un instant.',
    maintenance: 'Le service est en maintenance. Rien n’est perdu ; veuillez patienter.',
    signedOut: 'Votre session est terminée.',
  },
  comeBack: 'Vous êtes venu par un lien qui ne sert qu’une fois.',
  addPasskey: 'Ajouter une clé d’accès pour revenir',
  dismiss: 'Pas maintenant',
  keysTitle: 'Touches',
  keyHelp: 'Afficher ces touches',
  keySearch: 'Rechercher',
  keyGo: (page) => `Aller à : ${page}`,
  searchTitle: 'Aller à',
  searchHint: 'Une mesure, un projet, une page',
  nothingFound: 'Rien ne porte ce nom.',
  signIn: 'Se connecter',
};
