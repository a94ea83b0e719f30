// What a bench hands back, and how it is shown.

export type EngineName = 'sqlite' | 'postgres';

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

export interface Figure {
  readonly bench: string;
  readonly engine: EngineName;
  readonly what: string;
  /** Ours and what it is held against, as a reader wants to see them. */
  readonly ours: string;
  readonly floor: string;
  /** The figure itself: the median of its rounds. */
  readonly value: number;
  readonly unit: 'times' | 'MiB' | 's';
  readonly rounds: readonly number[];
  /** A figure without a goal is there to be watched. */
  readonly goal?: Goal;
  /** What a reader must know to believe the figure, or to doubt it. */
  readonly notes?: readonly string[];
  /** Everything that was measured, for whoever wants to compute something else. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new Error('There is no median of nothing.');
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2;
}

export function isMet({ value, goal }: Figure): boolean {
  if (goal === undefined) return true;
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** The figures as a table, and their notes below it. */
export function tableOf(figures: readonly Figure[]): string {
  const head = ['bench', 'engine', 'what', 'ours', 'floor', 'figure', 'rounds', 'goal', ''];
  const rows = figures.map((figure) => [
    figure.bench,
    figure.engine,
    figure.what,
    figure.ours,
    figure.floor,
    shown(figure.value, figure.unit),
    `${shown(Math.min(...figure.rounds), figure.unit)} .. ${shown(Math.max(...figure.rounds), figure.unit)} (${figure.rounds.length})`,
    figure.goal === undefined ? '' : shownGoal(figure.goal, figure.unit),
    figure.goal === undefined ? '' : isMet(figure) ? 'met' : 'MISSED',
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  const notes = [...new Set(figures.flatMap((figure) => figure.notes ?? []))];
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), ...notes].join('\n');
}

function shown(value: number, unit: Figure['unit']): string {
  return unit === 'times' ? value.toFixed(2) : `${value.toFixed(1)} ${unit}`;
}

function shownGoal(goal: Goal, unit: Figure['unit']): string {
  return 'atLeast' in goal ? `>= ${shown(goal.atLeast, unit)}` : `<= ${shown(goal.atMost, unit)}`;
}
