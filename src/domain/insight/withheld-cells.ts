// Which cells of one answer are withheld where together they make up a whole that is shown. A single one could be worked out from
// the others, so as many are withheld as it takes for all of them together to reach the minimum (D-484).

/** By the place of the cell: those of fewer than the minimum, and with them the smallest others where that is needed. */
export function withheldCells(counts: readonly number[], minimum: number): readonly boolean[] {
  const isWithheld = counts.map((count) => count > 0 && count < minimum);
  let sum = counts.reduce((before, count, place) => before + (isWithheld[place] ? count : 0), 0);
  while (sum > 0 && sum < minimum) {
    let smallest = -1;
    for (const [place, count] of counts.entries())
      if (count > 0 && !isWithheld[place] && (smallest < 0 || count < counts[smallest]!)) smallest = place;
    if (smallest < 0) break;
    isWithheld[smallest] = true;
    sum += counts[smallest]!;
  }
  return isWithheld;
}
