// How a resource is changed without a lock: read, decide, save at the revision that was read; the change that
// comes second is decided anew (D-58).

/**
 * An attempt gives null when what it was decided at has changed meanwhile. The whole gives null when that was so in
 * every round.
 */
export async function changeInTurn<R, T>(
  roundsMax: number,
  read: () => Promise<R>,
  attempt: (resource: R) => Promise<T | null>,
): Promise<T | null> {
  for (let round = 1; round <= roundsMax; round += 1) {
    const done = await attempt(await read());
    if (done !== null) return done;
  }
  return null;
}
