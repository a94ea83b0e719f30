// Which events there are, and of what. A catalogue names them too, and browsers know what a catalogue is: nothing of Node is here.

export const eventTypes = [
  'response.created',
  'response.changed',
  'response.erased',
  'user.created',
  'user.updated',
  'user.suspended',
  'user.reactivated',
  'user.deleted',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Of a change to a user; its action is that of the audit log. */
export function eventOfUserChange({ action }: { readonly action: string }): EventType {
  if (action === 'user.suspend') return 'user.suspended';
  if (action === 'user.reactivate') return 'user.reactivated';
  return 'user.updated';
}

/** Of a change to responses, by its kind in the log; a kind that is not here is told to nobody. */
export const eventOfLogChange: Readonly<Record<string, EventType>> = {
  external: 'response.changed',
  erased: 'response.erased',
  retained: 'response.erased',
};
