import { JobError } from "../errors.ts";

/**
 * @param ranges the option `pages`: `1-3,7,9-,!2`, starting at 1; undefined selects all
 * @param count number of pages of the document
 * @returns the page numbers in the requested order, without those beyond the end
 * @throws JobError `unsupported_feature` when no page remains
 */
export const chosenPages = (ranges: string | undefined, count: number): number[] => {
  const distinct = pagesIn(ranges, count);
  if (distinct.length === 0) {
    throw new JobError("unsupported_feature", `The document has ${count} pages; none of them is in ${ranges}.`);
  }
  return distinct;
};

/**
 * @returns the page numbers in the requested order, without the excluded ones and those beyond the end: maybe none. With
 * exclusions only, all others
 */
export const pagesIn = (ranges: string | undefined, count: number): number[] => {
  const [excluded, included] = partition((ranges ?? "1-").split(",").map((range) => range.trim()));
  const without = new Set(excluded.flatMap((range) => pagesOf(range.slice(1), count)));
  const chosen = (included.length === 0 ? ["1-"] : included).flatMap((range) => pagesOf(range, count));
  return [...new Set(chosen)].filter((page) => !without.has(page));
};

const partition = (ranges: readonly string[]) =>
  [ranges.filter((range) => range.startsWith("!")), ranges.filter((range) => !range.startsWith("!"))] as const;

const pagesOf = (range: string, count: number): number[] => {
  const [first = "", last] = range.split("-").map((side) => side.trim());
  const end = last === undefined ? Number(first) : last === "" ? count : Number(last);
  const start = Math.max(1, Number(first));
  return Array.from({ length: Math.max(0, Math.min(end, count) - start + 1) }, (_, index) => start + index);
};

/** @returns the same pages in ranges without exclusions and spaces, for programs: `1-3,7` */
export const plainRanges = (ranges: string | undefined, count: number): string => {
  const runs: [first: number, last: number][] = [];
  for (const page of pagesIn(ranges, count)) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] + 1 === page) {
      run[1] = page;
    } else {
      runs.push([page, page]);
    }
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(",");
};
