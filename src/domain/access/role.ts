// What people may do. A role is a set of abilities; users have roles by themselves or through their groups, and the
// abilities of all their roles together. Operators stand above the accounts: within one they have an admin's abilities
// after they have entered it, and nothing before (D-310).

export const abilities = [
  'see scores',
  'see responses',
  'edit surveys',
  'manage users',
  'manage API clients',
  'erase responses',
  'see audit',
  'see own audit',
  'operate',
] as const;
export type Ability = (typeof abilities)[number];

export const roles = ['viewer', 'analyst', 'editor', 'identity', 'admin'] as const;
export type Role = (typeof roles)[number];

const abilitiesOfRoles: Readonly<Record<Role, readonly Ability[]>> = {
  viewer: ['see scores'],
  analyst: ['see scores', 'see responses', 'see own audit'],
  editor: ['see scores', 'see responses', 'edit surveys', 'see own audit'],
  identity: ['manage users', 'see audit'],
  admin: [
    'see scores',
    'see responses',
    'edit surveys',
    'manage users',
    'manage API clients',
    'erase responses',
    'see audit',
    'see own audit',
  ],
};

/** Roles that whoever manages users may grant and take; admin is granted by an admin or an operator. */
export const grantableByIdentity: readonly Role[] = ['viewer', 'analyst', 'editor', 'identity'];

/**
 * Whoever has one of these may get an access token for themselves, to try the interface by hand. Whoever sees scores alone has none,
 * because what it opens shows comments (D-532).
 */
export const abilitiesWithToken = ['see responses', 'manage users'] as const satisfies readonly Ability[];

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text);
}

export function abilitiesOf(held: Iterable<Role>): ReadonlySet<Ability> {
  return new Set([...held].flatMap((role) => abilitiesOfRoles[role]));
}

/** Of an operator, outside of every account and within one. */
export function operatorAbilities(hasEntered: boolean): ReadonlySet<Ability> {
  return new Set<Ability>(hasEntered ? [...abilitiesOfRoles.admin, 'operate'] : ['operate']);
}
