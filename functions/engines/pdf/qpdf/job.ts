import { PDF_PERMISSIONS } from "../../../domain/conversions/options/papers.ts";
import type { Options } from "../../../domain/conversions/options.ts";
import { plainRanges } from "../../../domain/conversions/page-ranges.ts";

/** A part of a qpdf job. @see qpdf manual, "QPDFJob: a Job-Based Interface" */
export type JobPart = Readonly<Record<string, unknown>>;

/** A source and its pages: `1,2,3,7`. */
export interface SourcePages {
  readonly file: string;
  readonly range: string;
}

/** @returns the input of a job: a file, and the password that opens it */
export const inputPart = (inputFile: string, { password }: Options): JobPart => ({
  inputFile,
  ...(password !== undefined && { password }),
});

/**
 * @returns the selection of pages of PDFs that are joined; the rest, such as bookmarks, is that of the first. All pages of
 * one file are not selected: that takes qpdf several times as long as to write them
 */
export const selectionPart = (sources: readonly SourcePages[], { password, pages }: Options): JobPart => ({
  decrypt: "",
  ...((sources.length > 1 || pages !== undefined) && {
    pages: sources.map((source) => ({ ...source, ...(password !== undefined && { password }) })),
  }),
});

/** @returns the rotation of pages, which are counted only to select some of them */
export const rotationPart = ({ rotate, rotate_pages }: Options, pages = 0): JobPart => {
  const turned = rotate_pages === undefined ? "1-z" : plainRanges(rotate_pages, pages);
  return rotate !== undefined && turned !== "" ? { rotate: `+${rotate}:${turned}` } : {};
};

/** @returns the flattening of fields and annotations: on a sheet, pages have only what is drawn on them */
export const flatteningPart = ({ flatten, pages_per_sheet }: Options): JobPart =>
  // `print` leaves out hidden annotations, which `all` would draw.
  flatten === true || pages_per_sheet !== undefined ? { generateAppearances: "", flattenAnnotations: "print" } : {};

/** @returns how the file is written: its objects, their order, and its encryption */
export const writingPart = (options: Options, { hasPredictors = false } = {}): JobPart => ({
  objectStreams: "generate",
  compressStreams: "y",
  ...(isCompressed(options) && {
    // qpdf would compress images again without their predictors.
    ...(!hasPredictors && { recompressFlate: "" }),
    compressionLevel: "9",
    removeUnreferencedResources: "yes",
  }),
  ...(options.linearize === true && { linearize: "" }),
  ...(isEncrypted(options) && { encrypt: encryptionOf(options) }),
});

export const isCompressed = ({ compress, target_size }: Options): boolean =>
  compress !== undefined || target_size !== undefined;

export const isEncrypted = ({ user_password, owner_password, permissions }: Options): boolean =>
  user_password !== undefined || owner_password !== undefined || permissions !== undefined;

/** AES with 256 bits. Without an owner password it is random: an empty one would lift every restriction. */
const encryptionOf = ({ user_password = "", owner_password = crypto.randomUUID(), permissions }: Options): JobPart => {
  const allowed = permissions === undefined ? PDF_PERMISSIONS : permissions.split(",").map((name) => name.trim());
  const isAllowed = (name: (typeof PDF_PERMISSIONS)[number]): boolean => allowed.some((one) => one === name);
  const may = (name: (typeof PDF_PERMISSIONS)[number]): string => (isAllowed(name) ? "y" : "n");
  return {
    userPassword: user_password,
    ownerPassword: owner_password,
    "256bit": {
      print: isAllowed("print") ? "full" : "none",
      extract: may("copy"),
      modifyOther: may("modify"),
      annotate: may("annotate"),
      form: may("fill"),
      assemble: may("assemble"),
      // Screen readers may always read it.
      accessibility: "y",
    },
  };
};
