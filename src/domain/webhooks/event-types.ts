// Which events there are. A catalogue names them too, and browsers know what a catalogue is: nothing of Node is here.

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
