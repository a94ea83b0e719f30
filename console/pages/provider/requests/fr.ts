import type { RequestTexts } from './en.ts';

export const texts: RequestTexts | null = {
  operations: { add: 'ajouté :', remove: 'retiré :', replace: 'remplacé :' },
  ignored: 'ignoré :',
  andMore: (count) => ` et ${count} de plus`,
  more: (count) => `${count} de plus`,
  states: { true: 'oui', false: 'non' },
  bulk: (count, method, endpoint) => `${count} × ${method} sur ${endpoint}`,
  unreadable: (count) => `${count} × illisible`,
};
