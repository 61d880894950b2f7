/** Milliseconds that the work takes. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** @returns the value below which this share of the values lies: 0.5 is the median */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};

export interface Pair {
  readonly ours: readonly number[];
  readonly bare: readonly number[];
  /** Milliseconds of the first conversion, which starts processes and loads engines. */
  readonly coldMs: number;
}

/** Times two functions interleaved, so that changes of the machine's speed affect both. The first `warmUps` do not count. */
export const interleaved = async (
  { ours, bare }: { ours: () => Promise<unknown>; bare: () => Promise<unknown> },
  { runs, warmUps }: { runs: number; warmUps: number },
): Promise<Pair> => {
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  let coldMs = Number.NaN;
  for (let run = 0; run < runs + warmUps; run += 1) {
    const [first, second] = [await timed(bare), await timed(ours)];
    if (run === 0) {
      coldMs = second;
    }
    if (run >= warmUps) {
      times.bare.push(first);
      times.ours.push(second);
    }
  }
  return { ...times, coldMs };
};

/** Prints rows of cells as a table; numbers to the right. */
export const printTable = (rows: readonly (readonly string[])[]): void => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(cells.join("  "));
  }
};
