import { JobError } from "../errors.ts";

/**
 * @param ranges the option `pages`: `1-3,7,9-`, starting at 1; undefined selects all
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

/** @returns the page numbers in the requested order, without those beyond the end: maybe none */
export const pagesIn = (ranges: string | undefined, count: number): number[] => {
  const chosen = (ranges ?? "1-").split(",").flatMap((range) => {
    const [first = "", last] = range.split("-").map((side) => side.trim());
    const end = last === undefined ? Number(first) : last === "" ? count : Number(last);
    const start = Math.max(1, Number(first));
    return Array.from({ length: Math.max(0, Math.min(end, count) - start + 1) }, (_, index) => start + index);
  });
  return [...new Set(chosen)];
};
