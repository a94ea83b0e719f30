// Set-up links: how long one works (D-601).

export const setupLinkDays = { min: 1, usual: 7, max: 30 } as const;
