import type { RequestTexts } from './en.ts';

export const texts: RequestTexts | null = {
  operations: { add: 'hinzugefügt:', remove: 'entfernt:', replace: 'ersetzt:' },
  ignored: 'nicht beachtet:',
  andMore: (count) => ` und ${count} weitere`,
  more: (count) => `${count} weitere`,
  states: { true: 'ja', false: 'nein' },
  bulk: (count, method, endpoint) => `${count} × ${method} auf ${endpoint}`,
  unreadable: (count) => `${count} × unlesbar`,
};
