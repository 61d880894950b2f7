import { notOffered } from "./errors.ts";
import type { GotenbergForm, StagedFile } from "./form.ts";
import { markStages } from "./marks.ts";
import type { FormConversion, Intermediate } from "./operations.ts";
import {
  attachStages,
  bookmarkOptions,
  encryptionOptions,
  invoiceStage,
  metadataOptions,
  optimizeOptions,
  pdfLevel,
} from "./pdf-options.ts";
import { defined, flag, text } from "./values.ts";

/** A change of a PDF. */
export type Stage = Pick<FormConversion, "optionFiles" | "options">;

/** @returns the conversion followed by the changes; all but the last one have been run */
export const chained = async (
  first: FormConversion,
  stages: readonly Stage[],
  convert: Intermediate,
): Promise<FormConversion> => {
  let last = first;
  for (const stage of stages) {
    last = { files: [await convert(last)], target: "pdf", ...stage };
  }
  return last;
};

/** @returns the first change, if any, in the conversion, and the others after it */
export const changedBy = async (
  files: readonly StagedFile[],
  stages: readonly Stage[],
  convert: Intermediate,
): Promise<FormConversion> => {
  const [first = { options: {} }, ...others] = stages;
  return chained({ files, target: "pdf", ...first }, others, convert);
};

/** Each file by itself; the results of several are a ZIP. */
export const each = async (
  files: readonly StagedFile[],
  one: (file: StagedFile) => Promise<FormConversion>,
  convert: Intermediate,
): Promise<FormConversion> => {
  const [only] = files;
  if (only !== undefined && files.length === 1) {
    return one(only);
  }
  const results: StagedFile[] = [];
  for (const file of files) {
    results.push(await convert(await one(file)));
  }
  return { files: results, target: "zip", options: {} };
};

const OTHERS = ["pdfua", "autoIndexBookmarks", "titleBookmarks"] as const;

/**
 * @returns the changes that most routes make to their result: rotation, marks, attached files, and the rest in one, with
 *   the invoice
 * @throws GotenbergError 400 for a wrong value, 501 for what has no equivalent
 */
export const finalStages = (form: GotenbergForm): Stage[] => {
  const { fields } = form;
  const other = OTHERS.find((name) => !["", "false", "[]", "{}"].includes(fields.get(name) ?? ""));
  if (other !== undefined) {
    throw notOffered(`The form field '${other}'`);
  }
  const angle = text(fields, "rotateAngle");
  const last = defined({
    flatten: flag(fields, "flatten") === true ? true : undefined,
    rotate: angle === undefined ? undefined : Number(angle),
    rotate_pages: text(fields, "rotatePages"),
    ...(text(fields, "metadata") !== undefined && metadataOptions(fields)),
    ...(text(fields, "bookmarks") !== undefined && bookmarkOptions(fields)),
    ...encryptionOptions(fields),
    ...(flag(fields, "optimizeImages") === true && optimizeOptions(fields)),
    pdf_a: pdfLevel(fields),
  });
  const isInvoice = form.assets.facturxXml.length > 0 || text(fields, "facturxConformanceLevel") !== undefined;
  const rest: Stage = { ...(isInvoice && invoiceStage(form)), options: last };
  return [
    ...markStages(form, "watermark"),
    ...markStages(form, "stamp"),
    ...attachStages(form),
    ...(isInvoice || Object.keys(last).length > 0 ? [rest] : []),
  ];
};
