import { readFile, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import markdownIt from "markdown-it";
import { internetShortcut } from "../../functions/domain/uploads/internet-shortcut.ts";
import { writeZip } from "../../functions/engines/archives/zip/writer.ts";
import { GotenbergError, notOffered } from "./errors.ts";
import type { GotenbergForm, StagedFile } from "./form.ts";
import { requiredMarks } from "./marks.ts";
import { checkOffered, printOptions, screenshotOptions } from "./page-options.ts";
import {
  attachStages,
  bookmarkOptions,
  encryptionOptions,
  invoiceStage,
  metadataOptions,
  optimizeOptions,
  pdfLevel,
} from "./pdf-options.ts";
import { bookmarksOf, describe, metadataOf } from "./reading.ts";
import { chained, changedBy, each, finalStages, type Stage } from "./stages.ts";
import { defined, flag, invalid, required, text } from "./values.ts";

/** A conversion of one file, or of several into one. */
export interface FormConversion {
  readonly files: readonly StagedFile[];
  readonly target: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The files of options whose value is an upload. */
  readonly optionFiles?: Readonly<Record<string, StagedFile>>;
}

/** Runs a conversion whose result is the source of another one. */
export type Intermediate = (conversion: FormConversion) => Promise<StagedFile>;

/** @returns the last conversion of a route, after it has run those before; or what a route reports */
export type Operation = (
  form: GotenbergForm,
  convert: Intermediate,
) => Promise<FormConversion | { readonly json: unknown }>;

/** The files of a page, as a ZIP. */
const siteOf = async ({ files, folder }: GotenbergForm): Promise<StagedFile> => {
  if (!files.some(({ name }) => name === "index.html")) {
    throw new GotenbergError(400, "Invalid form data: form file 'index.html' is required.");
  }
  const path = join(folder, "site.zip");
  await writeZip(
    path,
    files.map((file) => ({ path: file.name, file: file.path })),
  );
  return { name: "index.zip", path };
};

const shortcutOf = async ({ fields, folder }: GotenbergForm): Promise<StagedFile> => {
  const url = URL.parse(required(fields, "url"));
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new GotenbergError(400, "Invalid form data: form field 'url' is not an http: or https: URL.");
  }
  const path = join(folder, "page.url");
  await writeFile(path, internetShortcut(url));
  return { name: "page.url", path };
};

const TO_HTML = /\{\{\s*toHTML\s+(?:\.DirPath\s+)?"([^"]{1,255})"\s*\}\}/g;

/** The page with the Markdown files in place of its `{{ toHTML "file.md" }}`. HTML in Markdown is shown as text. */
const withMarkdown = async (form: GotenbergForm): Promise<GotenbergForm> => {
  const index = form.files.find(({ name }) => name === "index.html");
  const html = index === undefined ? "" : await readFile(index.path, "utf8");
  const rendered = new Map<string, string>();
  for (const [, name = ""] of html.matchAll(TO_HTML)) {
    const file = form.files.find((each) => each.name === name);
    if (file === undefined) {
      throw new GotenbergError(400, `Invalid form data: form file '${name}' is required by 'index.html'.`);
    }
    rendered.set(name, markdownIt({ html: false, linkify: true }).render(await readFile(file.path, "utf8")));
  }
  const path = join(form.folder, "index.html");
  await writeFile(
    path,
    html.replace(TO_HTML, (_, name: string) => rendered.get(name) ?? ""),
  );
  const others = form.files.filter(({ name }) => name !== "index.html");
  return { ...form, files: index === undefined ? others : [{ name: "index.html", path }, ...others] };
};

type Page = (form: GotenbergForm) => Promise<StagedFile>;

const SOURCES: Readonly<Record<string, Page>> = {
  url: shortcutOf,
  html: siteOf,
  markdown: async (form) => siteOf(await withMarkdown(form)),
};

const urlOf = (kind: string, { fields }: GotenbergForm): string | undefined =>
  kind === "url" ? required(fields, "url") : undefined;

const pageRoutes = Object.entries(SOURCES).flatMap(([kind, source]): [string, Operation][] => [
  [
    `/forms/chromium/convert/${kind}`,
    async (form, convert) => {
      const options = await printOptions(form, urlOf(kind, form));
      const stages = finalStages(form);
      return chained({ files: [await source(form)], target: "pdf", options }, stages, convert);
    },
  ],
  [
    `/forms/chromium/screenshot/${kind}`,
    async (form) => ({ files: [await source(form)], ...screenshotOptions(form, urlOf(kind, form)) }),
  ],
]);

/** @throws GotenbergError 400 */
const someFiles = ({ files }: GotenbergForm, extension?: string): readonly StagedFile[] => {
  const found = files.filter(({ name }) => extension === undefined || name.toLowerCase().endsWith(extension));
  if (found.length === 0) {
    throw new GotenbergError(
      400,
      `Invalid form data: no form file found${extension ? ` for extension '${extension}'` : ""}.`,
    );
  }
  return found;
};

const OFFICE_NOT_OFFERED = ["splitMode"];

/** A result in another format of PDF/A than that of the target is written by LibreOffice itself. */
const libreoffice: Operation = async (form, convert) => {
  const { fields } = form;
  checkOffered(fields, OFFICE_NOT_OFFERED);
  const level = pdfLevel(fields);
  const base = defined({
    password: text(fields, "password"),
    pages: text(fields, "nativePageRanges"),
    page_orientation: flag(fields, "landscape") === true ? "landscape" : undefined,
  });
  const { stages, isLevelLast } = officeStages(form);
  const options = level === undefined || isLevelLast ? base : { ...base, pdf_a: level };
  const files = someFiles(form);
  if (flag(fields, "merge") !== true || files.length === 1) {
    return each(files, (file) => chained({ files: [file], target: "pdf", options }, stages, convert), convert);
  }
  const results: StagedFile[] = [];
  for (const file of files) {
    const isPdf = parse(file.name).ext.toLowerCase() === ".pdf";
    results.push(isPdf ? file : await convert({ files: [file], target: "pdf", options: base }));
  }
  return changedBy(results, finalStages(form), convert);
};

/** LibreOffice writes PDF/A, also 1b, if nothing changes the PDF after it. */
const officeStages = (form: GotenbergForm): { readonly stages: readonly Stage[]; readonly isLevelLast: boolean } => {
  const withoutLevel = new Map([...form.fields].filter(([name]) => name !== "pdfa"));
  const stages = finalStages({ ...form, fields: withoutLevel });
  return stages.length === 0 ? { stages, isLevelLast: false } : { stages: finalStages(form), isLevelLast: true };
};

const merge: Operation = async (form, convert) => changedBy(someFiles(form, ".pdf"), finalStages(form), convert);

/** The most parts of a file that is split. */
const INTERVALS_MAX = 100;

const split: Operation = async (form, convert) => {
  const mode = required(form.fields, "splitMode");
  const span = required(form.fields, "splitSpan");
  const stages = finalStages(form);
  const files = someFiles(form, ".pdf");
  if (mode === "pages" && flag(form.fields, "splitUnify") === true) {
    return each(files, (file) => partOf({ file, pages: span, stages }, convert), convert);
  }
  const parts: (SplitPart & { readonly name: string })[] = [];
  for (const file of files) {
    const spans = mode === "pages" ? span.split(",") : await intervalsOf(file, { mode, span }, convert);
    parts.push(
      ...spans.map((pages, index) => ({ file, pages, stages, name: `${parse(file.name).name}_${index + 1}.pdf` })),
    );
  }
  const [only] = parts;
  if (only !== undefined && parts.length === 1) {
    return partOf(only, convert);
  }
  const results: StagedFile[] = [];
  for (const part of parts) {
    const { path } = await convert(await partOf(part, convert));
    results.push({ name: part.name, path });
  }
  return { files: results, target: "zip", options: {} };
};

interface SplitPart {
  readonly file: StagedFile;
  readonly pages: string;
  readonly stages: readonly Stage[];
}

const partOf = ({ file, pages, stages }: SplitPart, convert: Intermediate): Promise<FormConversion> =>
  chained({ files: [file], target: "pdf", options: { pages } }, stages, convert);

/** @returns the page ranges of parts with the same number of pages */
const intervalsOf = async (
  file: StagedFile,
  { mode, span }: { readonly mode: string; readonly span: string },
  convert: Intermediate,
): Promise<string[]> => {
  const size = Number(span);
  if (mode !== "intervals" || !Number.isInteger(size) || size < 1) {
    throw mode === "intervals" ? invalid("splitSpan", span) : invalid("splitMode", mode);
  }
  const { page_count: pages } = await describe(file, convert);
  const count = Math.ceil(pages / size);
  if (count > INTERVALS_MAX) {
    throw notOffered(`Splitting a file into ${count} parts, more than ${INTERVALS_MAX},`);
  }
  return Array.from({ length: count }, (_, index) => `${index * size + 1}-${Math.min(pages, (index + 1) * size)}`);
};

/** A route that makes one change of each PDF. */
const changing =
  (stagesOf: (form: GotenbergForm) => readonly Stage[]): Operation =>
  async (form, convert) => {
    const stages = stagesOf(form);
    return each(someFiles(form, ".pdf"), (file) => changedBy([file], stages, convert), convert);
  };

const withOptions = (optionsOf: (fields: GotenbergForm["fields"]) => FormConversion["options"]): Operation =>
  changing(({ fields }) => [{ options: defined(optionsOf(fields)) }]);

/** A route that reports something of each PDF, by its name. */
const reading =
  (read: (file: StagedFile, convert: Intermediate) => Promise<unknown>): Operation =>
  async (form, convert) => {
    const entries: [string, unknown][] = [];
    for (const file of someFiles(form, ".pdf")) {
      entries.push([file.name, await read(file, convert)]);
    }
    return { json: Object.fromEntries(entries) };
  };

const embed = changing((form) => {
  if (form.assets.embeds.length === 0) {
    throw new GotenbergError(400, "Invalid form data: form file 'embeds' is required.");
  }
  return attachStages(form);
});

/** Gotenberg's routes with a form. */
export const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ...pageRoutes,
  ["/forms/libreoffice/convert", libreoffice],
  ["/forms/pdfengines/merge", merge],
  ["/forms/pdfengines/split", split],
  ["/forms/pdfengines/convert", withOptions((fields) => ({ pdf_a: pdfLevel(fields) }))],
  ["/forms/pdfengines/metadata/write", withOptions(metadataOptions)],
  ["/forms/pdfengines/metadata/read", reading(metadataOf)],
  ["/forms/pdfengines/bookmarks/write", withOptions(bookmarkOptions)],
  ["/forms/pdfengines/bookmarks/read", reading(bookmarksOf)],
  ["/forms/pdfengines/flatten", withOptions(() => ({ flatten: true }))],
  ["/forms/pdfengines/optimize", withOptions(optimizeOptions)],
  ["/forms/pdfengines/embed", embed],
  ["/forms/pdfengines/factur-x", changing((form) => [invoiceStage(form)])],
  ["/forms/pdfengines/watermark", changing((form) => requiredMarks(form, "watermark"))],
  ["/forms/pdfengines/stamp", changing((form) => requiredMarks(form, "stamp"))],
  [
    "/forms/pdfengines/encrypt",
    withOptions((fields) => ({ user_password: required(fields, "userPassword"), ...encryptionOptions(fields) })),
  ],
  [
    "/forms/pdfengines/rotate",
    withOptions((fields) => ({
      rotate: Number(required(fields, "rotateAngle")),
      rotate_pages: text(fields, "rotatePages"),
    })),
  ],
]);
