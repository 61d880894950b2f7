import { DOCUMENT_PAGES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { JobPart } from "./job.ts";
import { runQpdf } from "./program.ts";

/**
 * @param input the input of a job
 * @returns the number of pages of the PDF
 * @throws JobError `source_corrupt`, `password_required`, `too_many_pages`
 */
export const pageCount = async (input: JobPart, folder: string): Promise<number> => {
  const { stdout } = await runQpdf({ ...input, showNpages: "" }, folder);
  return checkedCount(Number(stdout.trim()));
};

/** @throws JobError `source_corrupt`, `too_many_pages` */
export const checkedCount = (pages: number): number => {
  if (!(pages > 0)) {
    throw new JobError("source_corrupt", "The PDF has no page tree.");
  }
  if (pages > DOCUMENT_PAGES_MAX) {
    throw new JobError("too_many_pages", `The PDF has ${pages} pages; at most ${DOCUMENT_PAGES_MAX} are allowed.`);
  }
  return pages;
};
