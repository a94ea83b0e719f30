// Figures of very few responses tell what single people said, so an account may have them withheld (D-504).

/** The number that holds for a request: what the account says, or more where the caller asks for more. */
export function minimumInForce(ofAccount: number, asked: number | undefined): number {
  return Math.max(1, ofAccount, asked ?? 1);
}

/** That there is nothing is told: only figures of some responses, and of too few, are withheld. A minimum of 1 withholds nothing. */
export function isWithheld(count: number, minimum: number): boolean {
  return count > 0 && count < minimum;
}

/** What stands in the place of figures that are withheld. */
export const withheldMark = { withheld: 'TOO_FEW' } as const;
