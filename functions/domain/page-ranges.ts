import { JobError } from "./errors.ts";

/**
 * @param ranges the option `pages`: `1-3,7,9-`, from 1; undefined takes all
 * @param count pages that the document has
 * @returns the numbers of the pages, in the order that was asked for; those beyond the end are left out
 * @throws JobError `unsupported_feature` when none is left
 */
export const chosenPages = (ranges: string | undefined, count: number): number[] => {
  const chosen = (ranges ?? "1-").split(",").flatMap((range) => {
    const [first = "", last] = range.split("-").map((side) => side.trim());
    const end = last === undefined ? Number(first) : last === "" ? count : Number(last);
    const start = Math.max(1, Number(first));
    return Array.from({ length: Math.max(0, Math.min(end, count) - start + 1) }, (_, index) => start + index);
  });
  const distinct = [...new Set(chosen)];
  if (distinct.length === 0) {
    throw new JobError("unsupported_feature", `The document has ${count} pages; none of the pages ${ranges} is there.`);
  }
  return distinct;
};
