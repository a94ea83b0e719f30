/** For promises that are not about a slow store or a lot of work: a machine busy with other tests must not look like either. */
export const patience = { SOUNDINGS_STORE_TIMEOUT_MS: '30000', SOUNDINGS_WORK_LIMIT_MS: '120000' };
