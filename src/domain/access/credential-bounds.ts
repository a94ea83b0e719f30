// How many credentials there may be of a kind, how long they live, and in which states they are.

/** So many may a person have. */
export const passkeysMax = 20;

export const tokenDaysUsual = 365;
export const tokenDaysMax = 3650;

export const tokenStates = ['live', 'expired', 'revoked'] as const;
