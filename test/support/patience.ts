/** For promises that are not about a slow store: a machine busy with other tests must not look like one. */
export const patience = { SOUNDINGS_STORE_TIMEOUT_MS: '15000' };
