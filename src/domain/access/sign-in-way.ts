/** How somebody proved who they are. */
export const signInWays = ['link', 'passkey', 'password', 'provider'] as const;
export type SignInWay = (typeof signInWays)[number];
