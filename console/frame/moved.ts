// Whether anything has moved in the account since the page was loaded; live.ts asks.

import { signal } from './signal.ts';

/** Counts up whenever something moved. */
export const moved = signal(0);
