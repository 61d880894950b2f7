import { DOCUMENT_PAGES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { formatOf } from "../../domain/formats.ts";
import type { Warning } from "../../domain/jobs.ts";
import type { EngineTask } from "../engine.ts";
import type { OfficeAnswer, RefusedReason } from "./office.ts";

/** @returns the error that the client sees where LibreOffice will not convert a document */
export const refusal = (task: EngineTask, { refused = "open", detail = "" }: OfficeAnswer): JobError => {
  const { code, says } = REFUSALS[refused];
  const name = formatOf(task.from).name;
  return new JobError(code, says({ name, detail, ...task.options }), { cause: detail });
};

interface Told {
  readonly name: string;
  readonly detail: string;
  readonly password?: string | undefined;
  readonly pages?: string | undefined;
  readonly sheet?: string | number | undefined;
}

const REFUSALS = {
  open: { code: "source_corrupt", says: ({ name }) => `The ${name} file is damaged and cannot be read.` },
  password: {
    code: "password_required",
    says: ({ name, password }) =>
      password === undefined
        ? `The ${name} file is encrypted: the option password opens it.`
        : `The password does not open the ${name} file.`,
  },
  kind: { code: "source_mismatch", says: ({ name }) => `What the file holds is not what a ${name} file does.` },
  pages: {
    code: "too_many_pages",
    says: ({ detail }) => `The document has ${detail} pages; at most ${DOCUMENT_PAGES_MAX} are allowed.`,
  },
  range: {
    code: "unsupported_feature",
    says: ({ detail, pages }) => `The document has ${detail} pages; none of the pages ${pages} is there.`,
  },
  sheet: { code: "unsupported_feature", says: ({ detail, sheet }) => `There is no sheet ${sheet}. ${detail}` },
  encrypted: {
    code: "unsupported_feature",
    says: ({ name }) =>
      `The ${name} file is encrypted in a way that cannot be opened here; save it without a password first.`,
  },
  empty: { code: "unsupported_feature", says: ({ name }) => `Nothing in this kind of ${name} file can be read here.` },
} as const satisfies Record<RefusedReason, { code: JobError["code"]; says: (told: Told) => string }>;

/** Fonts of the same widths, so that lines break where they did, by those that they stand for. */
const AS_WIDE: Readonly<Record<string, string>> = {
  Arial: "Liberation Sans",
  "Arial Narrow": "Liberation Sans Narrow",
  Calibri: "Carlito",
  Cambria: "Caladea",
  "Courier New": "Liberation Mono",
  Helvetica: "Liberation Sans",
  "Times New Roman": "Liberation Serif",
};

const NAMES_MAX = 20;

/** @returns the warning that text is drawn in other fonts than the document names */
export const fontWarnings = ({ fonts = [] }: OfficeAnswer): Warning[] => {
  if (fonts.length === 0) {
    return [];
  }
  const names = fonts
    .slice(0, NAMES_MAX)
    .map((font) => (AS_WIDE[font] === undefined ? font : `${font} (by ${AS_WIDE[font]}, which is as wide)`));
  const more = fonts.length > NAMES_MAX ? ` and ${fonts.length - NAMES_MAX} more` : "";
  return [
    { code: "fonts_replaced", detail: `Fonts that are not installed were replaced: ${names.join(", ")}${more}.` },
  ];
};
