// How people are looked for: in which order, in which state, with which role.

import { roles } from './role.ts';

export const userOrders = ['oldest', 'newest', 'name'] as const;
export const userStates = ['active', 'suspended'] as const;
/** A role, or `none` for those who have none. */
export const searchedRoles = [...roles, 'none'] as const;
