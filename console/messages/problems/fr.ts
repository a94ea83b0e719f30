import type { ProblemTexts } from './en.ts';

export const texts: ProblemTexts = {
  problems: {
    SIGN_IN_REFUSED: 'Cela ne correspond pas. Vérifiez votre saisie et réessayez.',
    PASSKEY_REFUSED:
      'Cette clé d’accès n’ouvre rien ici. Choisissez-en une autre, ou un autre moyen de connexion.',
    PASSKEY_QUESTION_ENDED: 'Cela a pris trop de temps, ou a déjà reçu une réponse. Réessayez.',
    PASSKEY_COUNTED_BACK:
      'Votre clé d’accès a compté à rebours, comme le ferait une copie. Connectez-vous autrement, supprimez-la et ajoutez-la de nouveau.',
    SIGN_IN_REQUIRED: 'Votre session est terminée. Veuillez vous reconnecter.',
    THROTTLED: 'Trop de tentatives. Attendez un instant et réessayez.',
    UNREACHABLE: 'Le service est injoignable. Vérifiez votre connexion et réessayez.',
    MAINTENANCE: 'Le service est en maintenance. Revenez plus tard.',
    USER_NAME_TAKEN: 'Un autre utilisateur du compte porte ce nom. Choisissez-en un autre.',
    GROUP_NAME_TAKEN: 'Un autre groupe du compte porte ce nom. Choisissez-en un autre.',
    INTERNAL_ERROR: 'Le service a échoué. Réessayez, et citez la requête ci-dessous si cela persiste.',
  },
  general: {
    ABILITY_MISSING:
      'Aucun de vos rôles ne le permet. Demandez à l’administration du compte un rôle qui le permet.',
    CONFLICT: 'Cela contredit l’état actuel.',
    NO_ANSWER:
      'Le service ne répond pas pour le moment. Réessayez, et citez la requête ci-dessous si cela persiste.',
  },
  conflictToDo: 'Regardez où cela en est maintenant, et réessayez. Votre saisie est toujours là.',
  faults: {
    INVALID_LENGTH: 'Un mot de passe a de 15 à 256 caractères.',
    INVALID_TEXT: 'Un mot de passe ne contient ni tabulation ni retour à la ligne.',
    TOO_COMMON:
      'D’autres ont ce mot de passe, ou le devineraient. Quelques mots sans rapport entre eux sont plus sûrs.',
  },
  failed: 'Cela n’a pas fonctionné.',
  request: 'Requête',
};
