import type { FaultTexts } from './en.ts';

export const texts: FaultTexts = {
  sentences: {
    'The rule waits for {0}, and there is no such question.':
      'Die Regel wartet auf {0}, und eine solche Frage gibt es nicht.',
    '{0} compares numbers, and {1} is open text.': '{0} vergleicht Zahlen, und {1} ist freier Text.',
    '{0} compares with a number, and "{1}" is none.': '{0} vergleicht mit einer Zahl, und „{1}“ ist keine.',
    '{0} has no answer with the id or value "{1}".': '{0} hat keine Antwort mit der Id oder dem Wert „{1}“.',
    'The rules go in a circle, so these questions could never be asked: {0}.':
      'Die Regeln gehen im Kreis, so dass diese Fragen nie gestellt werden könnten: {0}.',
    'No version is current; mark exactly one with current: true.':
      'Keine Version ist die aktuelle; kennzeichnen Sie genau eine mit current: true.',
    '{0} versions are current; mark exactly one.': '{0} Versionen sind aktuell; kennzeichnen Sie genau eine.',
    'The survey of a project has no latents; they belong to measures.':
      'Die Umfrage eines Projekts hat keine latenten Größen; sie gehören zu Messungen.',
    'The latent {0} is {1} in another version, and keeps its type for ever.':
      'Die latente Größe {0} ist in einer anderen Version {1} und behält ihren Typ für immer.',
    'The latent {0} is {1} in {2}, and keeps its type for ever.':
      'Die latente Größe {0} ist in {2} {1} und behält ihren Typ für immer.',
    'A latent needs at least one measured question under questions.':
      'Eine latente Größe braucht unter questions mindestens eine gemessene Frage.',
    'scale is missing: {min, max} of a measured question.': 'scale fehlt: {min, max} einer gemessenen Frage.',
    'The scale ends at {0}, which is not above its begin, {1}.':
      'Die Skala endet bei {0}, und das liegt nicht über ihrem Anfang, {1}.',
    'A scale has at most {0} steps.': 'Eine Skala hat höchstens {0} Stufen.',
    'A {0} question needs answers.': 'Eine Frage der Art {0} braucht Antworten.',
    'A {0} question takes no answers of its own.': 'Eine Frage der Art {0} hat keine eigenen Antworten.',
    'At most {0} answers.': 'Höchstens {0} Antworten.',
    'A {0} question has no scale.': 'Eine Frage der Art {0} hat keine Skala.',
    'The scale of an NPS question is always 0 to 10.': 'Die Skala einer NPS-Frage reicht immer von 0 bis 10.',
    'A {0} question has no maxLength; it is for open text.':
      'Eine Frage der Art {0} hat kein maxLength; das ist für freien Text.',
    'A question with a role takes one answer, so it cannot be a CHECKBOX.':
      'Eine Frage mit einer Rolle nimmt eine Antwort an und kann daher keine CHECKBOX sein.',
    'The question whose role is rating needs answers with numbers as values.':
      'Die Frage mit der Rolle rating braucht Antworten, deren Werte Zahlen sind.',
    "{0} is the survey's own language, whose texts are not translations.":
      '{0} ist die eigene Sprache der Umfrage; deren Texte sind keine Übersetzungen.',
    'There is no question {0} in this version.': 'In dieser Version gibt es keine Frage {0}.',
    '{0} has no help that could be translated.': '{0} hat keinen Hilfetext, der sich übersetzen ließe.',
    'The scale of {0} has no labels that could be translated.':
      'Die Skala von {0} hat keine Beschriftung, die sich übersetzen ließe.',
    '{0} does not offer "Don\'t know".': '{0} bietet kein „Weiß nicht“ an.',
    '{0} has no answer {1} with a text of its own.': '{0} hat keine Antwort {1} mit eigenem Text.',
    '{0} has more than {1} entries, which is the most.':
      '{0} hat mehr als {1} Einträge, und das ist das Höchste.',
    '{0} stands in a section already, in line {1}.': '{0} steht schon in einem Abschnitt, in Zeile {1}.',
    'A section needs questions.': 'Ein Abschnitt braucht Fragen.',
    'There is no question and no custom parameter {0} in this version.':
      'In dieser Version gibt es keine Frage und keinen eigenen Parameter {0}.',
    '{0} is named already.': '{0} ist schon genannt.',
    'There are {0} sections, and here are {1} titles.': 'Es gibt {0} Abschnitte, und hier stehen {1} Titel.',
    'The page has no intro that could be translated.':
      'Die Seite hat keine Einleitung, die sich übersetzen ließe.',
    'The page has no thanks.text that could be translated.':
      'Die Seite hat keinen Dank (thanks.text), der sich übersetzen ließe.',
    '{0} must be an object with members.': '{0} muss ein Objekt mit Mitgliedern sein.',
    '{0} must be a list.': '{0} muss eine Liste sein.',
    '{0} is missing: {1}.': '{0} fehlt: {1}.',
    '{0} is not a member that is known here; known are {1}.': '{0} ist hier nicht bekannt; bekannt sind {1}.',
    '{0} must be {1}.': '{0} muss dies sein: {1}.',
    'The latent id {0} is taken already, in line {1}.':
      'Die Id {0} einer latenten Größe ist schon vergeben, in Zeile {1}.',
    'The question id {0} is taken already, in line {1}.':
      'Die Id {0} einer Frage ist schon vergeben, in Zeile {1}.',
    'The answer id {0} is taken already, in line {1}.':
      'Die Id {0} einer Antwort ist schon vergeben, in Zeile {1}.',
    'The parameter id {0} is taken already, in line {1}.':
      'Die Id {0} eines Parameters ist schon vergeben, in Zeile {1}.',
    'The parameter name {0} is taken already, in line {1}.':
      'Der Name {0} eines Parameters ist schon vergeben, in Zeile {1}.',
    'The role {0} is taken already, in line {1}.': 'Die Rolle {0} ist schon vergeben, in Zeile {1}.',
    'This is the {0} {1}, and keeps its {2}.': 'Dies ist {0} {1} und behält {2}.',
    'The editor has one version at a time, and here are {0}: leave exactly one.':
      'Der Editor zeigt eine Version auf einmal, und hier sind {0}: Lassen Sie genau eine stehen.',
    'These are {0} latents and questions, and the editor takes {1}: use "soundings apply".':
      'Das sind {0} latente Größen und Fragen, und der Editor nimmt {1}: Benutzen Sie „soundings apply“.',
    'These are {0} {1}, and the editor takes {2} in a list.':
      'Das sind {0} {1}, und der Editor nimmt {2} in einer Liste.',
    'These are {0} parameters, and the editor takes {1}.':
      'Das sind {0} Parameter, und der Editor nimmt {1}.',
    'No colour of text has a contrast of {0} to {1} and to the tint of it that marks an answer; {2} is the nearest that leaves room for one.':
      'Keine Textfarbe hat einen Kontrast von {0} zu {1} und zu deren Tönung, die eine Antwort kennzeichnet; {2} ist die nächste, die Raum für eine lässt.',
    '{0} has a contrast of {1} to the light background {2}, and {3} is needed there and on the tint of it that marks an answer; {4} is the nearest that passes.':
      '{0} hat einen Kontrast von {1} zum hellen Hintergrund {2}, und {3} ist nötig, dort und auf dessen Tönung, die eine Antwort kennzeichnet; {4} ist die nächste Farbe, die genügt.',
    '{0} has a contrast of {1} to the dark background {2}, and {3} is needed there and on the tint of it that marks an answer; {4} is the nearest that passes.':
      '{0} hat einen Kontrast von {1} zum dunklen Hintergrund {2}, und {3} ist nötig, dort und auf dessen Tönung, die eine Antwort kennzeichnet; {4} ist die nächste Farbe, die genügt.',
    'This is more than 1,000,000 characters, which is the most.':
      'Das sind mehr als 1.000.000 Zeichen, und mehr geht nicht.',
    'This is nested more than {0} deep, which is the most.':
      'Dies ist tiefer als {0} Ebenen verschachtelt; das ist das Höchste.',
    'Its aliases stand for more than {0} values, which is the most.':
      'Die Aliasse stehen hier für mehr als {0} Werte; das ist das Höchste.',
    'A second document begins here.': 'Hier beginnt ein zweites Dokument.',
    'Nothing is written here.': 'Hier steht nichts.',
    // What the service finds beyond the draft itself.
    'The site key {0} is taken already; names under /s/, ids of surveys and site keys, are unique in the whole store.':
      'Der Seitenschlüssel {0} ist schon vergeben; Namen unter /s/, Ids von Umfragen und Seitenschlüssel, gibt es im ganzen Speicher nur einmal.',
    'The survey id {0} is taken already; ids of surveys are unique in the whole store.':
      'Die Id {0} einer Umfrage ist schon vergeben; Ids von Umfragen gibt es im ganzen Speicher nur einmal.',
    'The survey id {0} is taken already; names under /s/, ids of surveys and site keys, are unique in the whole store.':
      'Die Id {0} einer Umfrage ist schon vergeben; Namen unter /s/, Ids von Umfragen und Seitenschlüssel, gibt es im ganzen Speicher nur einmal.',
    '{0} has responses, and {1}; give the change a new version with an id of its own.':
      '{0} hat Antworten, und {1}; machen Sie aus der Änderung eine neue Version mit eigener Id.',
    'its modelInstanceId cannot change': 'seine modelInstanceId kann sich nicht ändern',
    'its version number cannot change': 'die Nummer der Version kann sich nicht ändern',
    'its latents cannot change': 'die latenten Größen können sich nicht ändern',
    'its title cannot change': 'der Titel kann sich nicht ändern',
    'its language cannot change': 'die Sprache kann sich nicht ändern',
    'what it says in another language cannot change ({0})':
      'was in einer anderen Sprache da steht, kann sich nicht ändern ({0})',
    'its {0} parameters can only be added to, at the end': 'Parameter ({0}) kommen nur am Ende hinzu',
    'the question {0} cannot be taken away': 'die Frage {0} kann nicht wegfallen',
    '{0} of {1} cannot change': '{0} von {1} kann sich nicht ändern',
    'no question can be added ({0})': 'keine Frage kann hinzukommen ({0})',
    // What a member may be.
    'true, false or {0}': 'true, false oder {0}',
    'an origin such as https://shop.example, without a path':
      'ein Ursprung wie https://shop.example, ohne Pfad',
    'the id of a question': 'die Id einer Frage',
    '"", because this section has no title': '"", denn dieser Abschnitt hat keinen Titel',
    'a colour such as "#0b6169", in quotes': 'eine Farbe wie "#0b6169", in Anführungszeichen',
    'a number from 0 to 100': 'eine Zahl von 0 bis 100',
    'a path of at most {0} characters that begins with / or *, such as /shop/*':
      'ein Pfad von höchstens {0} Zeichen, der mit / oder * beginnt, etwa /shop/*',
    '{0}, or forever': '{0}, oder forever',
    'a date and time as in 2026-01-31T09:00:00Z': 'Tag und Uhrzeit wie in 2026-01-31T09:00:00Z',
    'true or false': 'true oder false',
    'a text of 1 to {0} characters (in quotes, if it looks like a number)':
      'ein Text von 1 bis {0} Zeichen (in Anführungszeichen, wenn er wie eine Zahl aussieht)',
    'a text of at most {0} characters': 'ein Text von höchstens {0} Zeichen',
    'a text of 1 to {0} characters in one line, without control characters (in quotes, if it looks like a number)':
      'ein Text von 1 bis {0} Zeichen in einer Zeile, ohne Steuerzeichen (in Anführungszeichen, wenn er wie eine Zahl aussieht)',
    'a text of 1 to {0} characters, without control characters but the ends of lines (in quotes, if it looks like a number)':
      'ein Text von 1 bis {0} Zeichen, ohne Steuerzeichen außer Zeilenenden (in Anführungszeichen, wenn er wie eine Zahl aussieht)',
    'a text of 1 to {0} characters without control characters (in quotes, if it looks like a number)':
      'ein Text von 1 bis {0} Zeichen ohne Steuerzeichen (in Anführungszeichen, wenn er wie eine Zahl aussieht)',
    'an address of at most {0} characters that begins with https:// or http://, without credentials':
      'eine Adresse von höchstens {0} Zeichen, die mit https:// oder http:// beginnt, ohne Zugangsdaten',
    'a whole number from {0} to {1}': 'eine ganze Zahl von {0} bis {1}',
    'a number above 0': 'eine Zahl über 0',
    'a number, a text or null': 'eine Zahl, ein Text oder null',
    'a text or a number': 'ein Text oder eine Zahl',
    'one of {0}': 'eines von {0}',
    measure: 'die Messung',
    project: 'das Projekt',
    'The document': 'Das Dokument',
  },
};
