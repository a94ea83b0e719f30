import type { FaultTexts } from './en.ts';

export const texts: FaultTexts = {
  sentences: {
    'The rule waits for {0}, and there is no such question.':
      'La règle attend {0}, et cette question n’existe pas.',
    '{0} compares numbers, and {1} is open text.': '{0} compare des nombres, et {1} est un texte libre.',
    '{0} compares with a number, and "{1}" is none.': '{0} compare à un nombre, et « {1} » n’en est pas un.',
    '{0} has no answer with the id or value "{1}".': '{0} n’a pas de réponse avec l’id ou la valeur « {1} ».',
    'The rules go in a circle, so these questions could never be asked: {0}.':
      'Les règles tournent en rond, si bien que ces questions ne seraient jamais posées : {0}.',
    'No version is current; mark exactly one with current: true.':
      'Aucune version n’est actuelle ; marquez-en exactement une par current: true.',
    '{0} versions are current; mark exactly one.': '{0} versions sont actuelles ; marquez-en exactement une.',
    'The survey of a project has no latents; they belong to measures.':
      'L’enquête d’un projet n’a pas de variables latentes ; elles appartiennent aux mesures.',
    'The latent {0} is {1} in another version, and keeps its type for ever.':
      'La variable latente {0} est {1} dans une autre version et garde son type pour toujours.',
    'The latent {0} is {1} in {2}, and keeps its type for ever.':
      'La variable latente {0} est {1} dans {2} et garde son type pour toujours.',
    'A latent needs at least one measured question under questions.':
      'Une variable latente a besoin d’au moins une question mesurée sous questions.',
    'scale is missing: {min, max} of a measured question.':
      'scale manque : {min, max} d’une question mesurée.',
    'The scale ends at {0}, which is not above its begin, {1}.':
      'L’échelle finit à {0}, qui n’est pas au-dessus de son début, {1}.',
    'A scale has at most {0} steps.': 'Une échelle a au plus {0} degrés.',
    'A {0} question needs answers.': 'Une question {0} a besoin de réponses.',
    'A {0} question takes no answers of its own.': 'Une question {0} n’a pas de réponses à elle.',
    'At most {0} answers.': 'Au plus {0} réponses.',
    'A {0} question has no scale.': 'Une question {0} n’a pas d’échelle.',
    'The scale of an NPS question is always 0 to 10.': 'L’échelle d’une question NPS va toujours de 0 à 10.',
    'A {0} question has no maxLength; it is for open text.':
      'Une question {0} n’a pas de maxLength ; c’est pour le texte libre.',
    'A question with a role takes one answer, so it cannot be a CHECKBOX.':
      'Une question qui a un rôle prend une seule réponse et ne peut donc pas être une CHECKBOX.',
    'The question whose role is rating needs answers with numbers as values.':
      'La question dont le rôle est rating a besoin de réponses dont les valeurs sont des nombres.',
    "{0} is the survey's own language, whose texts are not translations.":
      '{0} est la langue de l’enquête elle-même ; ses textes ne sont pas des traductions.',
    'There is no question {0} in this version.': 'Il n’y a pas de question {0} dans cette version.',
    '{0} has no help that could be translated.': '{0} n’a pas d’aide à traduire.',
    'The scale of {0} has no labels that could be translated.':
      'L’échelle de {0} n’a pas de libellés à traduire.',
    '{0} does not offer "Don\'t know".': '{0} n’offre pas « Ne sait pas ».',
    '{0} has no answer {1} with a text of its own.': '{0} n’a pas de réponse {1} avec un texte à elle.',
    '{0} has more than {1} entries, which is the most.': '{0} a plus de {1} entrées, ce qui est le maximum.',
    '{0} stands in a section already, in line {1}.': '{0} est déjà dans une section, à la ligne {1}.',
    'A section needs questions.': 'Une section a besoin de questions.',
    'There is no question and no custom parameter {0} in this version.':
      'Il n’y a ni question ni paramètre personnalisé {0} dans cette version.',
    '{0} is named already.': '{0} est déjà nommé.',
    'There are {0} sections, and here are {1} titles.': 'Il y a {0} sections, et voici {1} titres.',
    'The page has no intro that could be translated.': 'La page n’a pas d’introduction à traduire.',
    'The page has no thanks.text that could be translated.':
      'La page n’a pas de remerciement (thanks.text) à traduire.',
    '{0} must be an object with members.': '{0} doit être un objet avec des membres.',
    '{0} must be a list.': '{0} doit être une liste.',
    '{0} is missing: {1}.': '{0} manque : {1}.',
    '{0} is not a member that is known here; known are {1}.': '{0} n’est pas connu ici ; sont connus {1}.',
    '{0} must be {1}.': '{0} doit être ceci : {1}.',
    'The latent id {0} is taken already, in line {1}.':
      'L’id {0} d’une variable latente est déjà pris, à la ligne {1}.',
    'The question id {0} is taken already, in line {1}.':
      'L’id {0} d’une question est déjà pris, à la ligne {1}.',
    'The answer id {0} is taken already, in line {1}.':
      'L’id {0} d’une réponse est déjà pris, à la ligne {1}.',
    'The parameter id {0} is taken already, in line {1}.':
      'L’id {0} d’un paramètre est déjà pris, à la ligne {1}.',
    'The parameter name {0} is taken already, in line {1}.':
      'Le nom {0} d’un paramètre est déjà pris, à la ligne {1}.',
    'The role {0} is taken already, in line {1}.': 'Le rôle {0} est déjà pris, à la ligne {1}.',
    'This is the {0} {1}, and keeps its {2}.': 'C’est {0} {1}, qui garde {2}.',
    'The editor has one version at a time, and here are {0}: leave exactly one.':
      'L’éditeur montre une version à la fois, et en voici {0} : laissez-en exactement une.',
    'These are {0} latents and questions, and the editor takes {1}: use "soundings apply".':
      'Cela fait {0} variables latentes et questions, et l’éditeur en prend {1} : utilisez « soundings apply ».',
    'These are {0} {1}, and the editor takes {2} in a list.':
      'Cela fait {0} {1}, et l’éditeur en prend {2} dans une liste.',
    'These are {0} parameters, and the editor takes {1}.':
      'Cela fait {0} paramètres, et l’éditeur en prend {1}.',
    'No colour of text has a contrast of {0} to {1} and to the tint of it that marks an answer; {2} is the nearest that leaves room for one.':
      'Aucune couleur de texte n’a un contraste de {0} avec {1} et avec sa teinte qui marque une réponse ; {2} est la plus proche qui en permet une.',
    '{0} has a contrast of {1} to the light background {2}, and {3} is needed there and on the tint of it that marks an answer; {4} is the nearest that passes.':
      '{0} a un contraste de {1} avec le fond clair {2}, et il faut {3} sur ce fond et sur sa teinte qui marque une réponse ; {4} est la couleur la plus proche qui suffit.',
    '{0} has a contrast of {1} to the dark background {2}, and {3} is needed there and on the tint of it that marks an answer; {4} is the nearest that passes.':
      '{0} a un contraste de {1} avec le fond sombre {2}, et il faut {3} sur ce fond et sur sa teinte qui marque une réponse ; {4} est la couleur la plus proche qui suffit.',
    'This is more than 1,000,000 characters, which is the most.':
      'Cela fait plus de 1 000 000 caractères, ce qui est le maximum.',
    'This is nested more than {0} deep, which is the most.':
      'Ceci est imbriqué sur plus de {0} niveaux, ce qui est le maximum.',
    'Its aliases stand for more than {0} values, which is the most.':
      'Les alias représentent ici plus de {0} valeurs, ce qui est le maximum.',
    'A second document begins here.': 'Un second document commence ici.',
    'Nothing is written here.': 'Il n’y a rien ici.',
    // What the service finds beyond the draft itself.
    'The site key {0} is taken already; names under /s/, ids of surveys and site keys, are unique in the whole store.':
      'La clé de site {0} est déjà prise ; les noms sous /s/, ids d’enquêtes et clés de site, sont uniques dans tout le stockage.',
    'The survey id {0} is taken already; ids of surveys are unique in the whole store.':
      'L’id d’enquête {0} est déjà pris ; les ids d’enquêtes sont uniques dans tout le stockage.',
    'The survey id {0} is taken already; names under /s/, ids of surveys and site keys, are unique in the whole store.':
      'L’id d’enquête {0} est déjà pris ; les noms sous /s/, ids d’enquêtes et clés de site, sont uniques dans tout le stockage.',
    '{0} has responses, and {1}; give the change a new version with an id of its own.':
      '{0} a des réponses, et {1} ; faites de la modification une nouvelle version avec un id à elle.',
    'its modelInstanceId cannot change': 'son modelInstanceId ne peut pas changer',
    'its version number cannot change': 'le numéro de version ne peut pas changer',
    'its latents cannot change': 'les variables latentes ne peuvent pas changer',
    'its title cannot change': 'le titre ne peut pas changer',
    'its language cannot change': 'la langue ne peut pas changer',
    'what it says in another language cannot change ({0})':
      'ce qui est dit dans une autre langue ne peut pas changer ({0})',
    'its {0} parameters can only be added to, at the end': 'des paramètres ({0}) ne s’ajoutent qu’à la fin',
    'the question {0} cannot be taken away': 'la question {0} ne peut pas être retirée',
    '{0} of {1} cannot change': '{0} de {1} ne peut pas changer',
    'no question can be added ({0})': 'aucune question ne peut être ajoutée ({0})',
    // What a member may be.
    'true, false or {0}': 'true, false ou {0}',
    'an origin such as https://shop.example, without a path':
      'une origine comme https://shop.example, sans chemin',
    'the id of a question': 'l’id d’une question',
    '"", because this section has no title': '"", car cette section n’a pas de titre',
    'a colour such as "#0b6169", in quotes': 'une couleur comme "#0b6169", entre guillemets',
    'a number from 0 to 100': 'un nombre de 0 à 100',
    'a path of at most {0} characters that begins with / or *, such as /shop/*':
      'un chemin d’au plus {0} caractères qui commence par / ou *, comme /shop/*',
    '{0}, or forever': '{0}, ou forever',
    'a date and time as in 2026-01-31T09:00:00Z': 'une date et une heure comme 2026-01-31T09:00:00Z',
    'true or false': 'true ou false',
    'a text of 1 to {0} characters (in quotes, if it looks like a number)':
      'un texte de 1 à {0} caractères (entre guillemets, s’il ressemble à un nombre)',
    'a text of at most {0} characters': 'un texte d’au plus {0} caractères',
    'a text of 1 to {0} characters in one line, without control characters (in quotes, if it looks like a number)':
      'un texte de 1 à {0} caractères sur une ligne, sans caractères de contrôle (entre guillemets, s’il ressemble à un nombre)',
    'a text of 1 to {0} characters, without control characters but the ends of lines (in quotes, if it looks like a number)':
      'un texte de 1 à {0} caractères, sans caractères de contrôle sauf les fins de ligne (entre guillemets, s’il ressemble à un nombre)',
    'a text of 1 to {0} characters without control characters (in quotes, if it looks like a number)':
      'un texte de 1 à {0} caractères sans caractères de contrôle (entre guillemets, s’il ressemble à un nombre)',
    'an address of at most {0} characters that begins with https:// or http://, without credentials':
      'une adresse d’au plus {0} caractères qui commence par https:// ou http://, sans identifiants',
    'a whole number from {0} to {1}': 'un nombre entier de {0} à {1}',
    'a number above 0': 'un nombre supérieur à 0',
    'a number, a text or null': 'un nombre, un texte ou null',
    'a text or a number': 'un texte ou un nombre',
    'one of {0}': 'l’un de {0}',
    measure: 'la mesure',
    project: 'le projet',
    'The document': 'Le document',
  },
};
