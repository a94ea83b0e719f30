// What may be refused to somebody because the user is admin, and is remembered until it is done or dropped.

export const refusedActs = ['suspend', 'delete'] as const;
export type RefusedAct = (typeof refusedActs)[number];
