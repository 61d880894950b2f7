import { DOCUMENT_PAGES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import type { OfficeAnswer, RefusedReason } from "./office.ts";

/** @returns the error for the client when LibreOffice cannot convert a document */
export const refusal = (task: EngineTask, { refused = "open", detail = "" }: OfficeAnswer): JobError => {
  const { code, message } = REFUSALS[refused];
  const name = formatOf(task.from).name;
  const isFinal = OF_OPTIONS.includes(refused);
  return new JobError(code, message({ name, detail, ...task.options }), { cause: detail, isFinal });
};

/** Refusals of an option's value. */
const OF_OPTIONS: readonly RefusedReason[] = ["range", "sheet"];

interface Details {
  readonly name: string;
  readonly detail: string;
  readonly password?: string | undefined;
  readonly pages?: string | undefined;
  readonly sheet?: string | number | undefined;
}

const REFUSALS = {
  open: { code: "source_corrupt", message: ({ name }) => `The ${name} file is damaged and cannot be read.` },
  password: {
    code: "password_required",
    message: ({ name, password }) =>
      password === undefined
        ? `The ${name} file is encrypted. Set the password option.`
        : `Wrong password for the ${name} file.`,
  },
  kind: { code: "source_mismatch", message: ({ name }) => `The file's content is not that of a ${name} file.` },
  pages: {
    code: "too_many_pages",
    message: ({ detail }) => `The document has ${detail} pages; the limit is ${DOCUMENT_PAGES_MAX}.`,
  },
  area: {
    code: "too_many_pages",
    message: ({ detail }) => `The used area of a sheet has ${detail}, most of them empty. Delete the cells at its end.`,
  },
  range: {
    code: "unsupported_feature",
    message: ({ detail, pages }) => `Pages ${pages} are out of range: the document has ${detail} pages.`,
  },
  sheet: { code: "unsupported_feature", message: ({ detail, sheet }) => `Sheet ${sheet} not found. ${detail}` },
  encrypted: {
    code: "unsupported_feature",
    message: ({ name }) =>
      `The encryption of the ${name} file is not supported. Save the file without a password first.`,
  },
  empty: {
    code: "unsupported_feature",
    message: ({ name }) => `This variant of ${name} is not supported: no content found.`,
  },
} as const satisfies Record<RefusedReason, { code: JobError["code"]; message: (details: Details) => string }>;

/** Metric-compatible replacement fonts, which preserve line breaks, by the fonts that they replace. */
const METRIC_COMPATIBLE: Readonly<Record<string, string>> = {
  Arial: "Liberation Sans",
  "Arial Narrow": "Liberation Sans Narrow",
  Calibri: "Carlito",
  Cambria: "Caladea",
  "Courier New": "Liberation Mono",
  Helvetica: "Liberation Sans",
  "Times New Roman": "Liberation Serif",
};

const NAMES_MAX = 20;

/** @returns the warning that text was drawn in other fonts than the document specifies */
export const fontWarnings = ({ fonts = [] }: OfficeAnswer): Warning[] => {
  if (fonts.length === 0) {
    return [];
  }
  const names = fonts
    .slice(0, NAMES_MAX)
    .map((font) =>
      METRIC_COMPATIBLE[font] === undefined ? font : `${font} (with the metric-compatible ${METRIC_COMPATIBLE[font]})`,
    );
  const more = fonts.length > NAMES_MAX ? ` and ${fonts.length - NAMES_MAX} more` : "";
  return [{ code: "fonts_replaced", detail: `Missing fonts were replaced: ${names.join(", ")}${more}.` }];
};
