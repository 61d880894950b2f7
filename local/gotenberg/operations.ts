import { readFile, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import markdownIt from "markdown-it";
import { internetShortcut } from "../../functions/domain/uploads/internet-shortcut.ts";
import { writeZip } from "../../functions/engines/archives/zip/writer.ts";
import { GotenbergError, notOffered } from "./errors.ts";
import type { GotenbergForm, StagedFile } from "./form.ts";
import { checkOffered, printOptions, screenshotOptions } from "./page-options.ts";
import { bookmarkOptions, metadataOptions, pdfLevel } from "./pdf-options.ts";
import { defined, flag, required, text } from "./values.ts";

/** A conversion of one file, or of several into one. */
export interface FormConversion {
  readonly files: readonly StagedFile[];
  readonly target: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Runs a conversion whose result is the source of another one. */
export type Intermediate = (conversion: FormConversion) => Promise<StagedFile>;

/** @returns the last conversion of a route, after it has run those before */
export type Operation = (form: GotenbergForm, convert: Intermediate) => Promise<FormConversion>;

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
    async (form) => {
      const options = await printOptions(form, urlOf(kind, form));
      return { files: [await source(form)], target: "pdf", options };
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

/** Each file by itself; the results of several are a ZIP. */
const each = async (
  files: readonly StagedFile[],
  options: FormConversion["options"],
  convert: Intermediate,
): Promise<FormConversion> => {
  if (files.length === 1) {
    return { files, target: "pdf", options };
  }
  const results: StagedFile[] = [];
  for (const file of files) {
    results.push(await convert({ files: [file], target: "pdf", options }));
  }
  return { files: results, target: "zip", options: {} };
};

const OFFICE_NOT_OFFERED = [
  ...[
    "pdfua",
    "metadata",
    "userPassword",
    "ownerPassword",
    "splitMode",
    "flatten",
    "downloadFrom",
    "bookmarks",
    "embeds",
  ],
  ...["watermarkSource", "stampSource", "rotateAngle"],
];

const libreoffice: Operation = async (form, convert) => {
  const { fields } = form;
  checkOffered(fields, OFFICE_NOT_OFFERED);
  const options = defined({
    password: text(fields, "password"),
    pages: text(fields, "nativePageRanges"),
    pdf_a: pdfLevel(fields),
    page_orientation: flag(fields, "landscape") === true ? "landscape" : undefined,
  });
  const files = someFiles(form);
  if (flag(fields, "merge") !== true || files.length === 1) {
    return each(files, options, convert);
  }
  const results: StagedFile[] = [];
  for (const file of files) {
    const isPdf = parse(file.name).ext.toLowerCase() === ".pdf";
    results.push(isPdf ? file : await convert({ files: [file], target: "pdf", options }));
  }
  return { files: results, target: "pdf", options: {} };
};

const MERGE_NOT_OFFERED = ["pdfa", "pdfua", "metadata", "bookmarks", "autoIndexBookmarks", "embeds", "downloadFrom"];

const merge: Operation = async (form) => {
  checkOffered(form.fields, MERGE_NOT_OFFERED);
  const options = defined({ flatten: flag(form.fields, "flatten") === true ? true : undefined });
  return { files: someFiles(form, ".pdf"), target: "pdf", options };
};

const split: Operation = async (form, convert) => {
  checkOffered(form.fields, MERGE_NOT_OFFERED);
  const mode = required(form.fields, "splitMode");
  const span = required(form.fields, "splitSpan");
  const isUnified = flag(form.fields, "splitUnify") === true;
  if (mode !== "pages" && !(mode === "intervals" && span === "1")) {
    throw notOffered(`The split mode '${mode}' with the span '${span}'`);
  }
  const options = mode === "pages" ? { pages: span, ...(!isUnified && { split: true }) } : { split: true };
  return each(someFiles(form, ".pdf"), options, convert);
};

const changing =
  (optionsOf: (fields: GotenbergForm["fields"]) => FormConversion["options"]): Operation =>
  async (form, convert) => {
    checkOffered(form.fields, ["downloadFrom"]);
    return each(someFiles(form, ".pdf"), defined(optionsOf(form.fields)), convert);
  };

/** Routes that exist, for operations that do not. */
const MISSING = ["metadata/read", "bookmarks/read", "embed", "watermark", "stamp"].map((name): [string, Operation] => [
  `/forms/pdfengines/${name}`,
  async () => {
    throw notOffered(`The route /forms/pdfengines/${name}`);
  },
]);

/** Gotenberg's routes with a form. */
export const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ...pageRoutes,
  ["/forms/libreoffice/convert", libreoffice],
  ["/forms/pdfengines/merge", merge],
  ["/forms/pdfengines/split", split],
  ["/forms/pdfengines/convert", changing((fields) => ({ pdf_a: pdfLevel(fields) }))],
  ["/forms/pdfengines/metadata/write", changing(metadataOptions)],
  ["/forms/pdfengines/bookmarks/write", changing(bookmarkOptions)],
  ["/forms/pdfengines/flatten", changing(() => ({ flatten: true }))],
  [
    "/forms/pdfengines/encrypt",
    changing((fields) => ({
      user_password: required(fields, "userPassword"),
      owner_password: text(fields, "ownerPassword"),
    })),
  ],
  [
    "/forms/pdfengines/rotate",
    changing((fields) => ({
      rotate: Number(required(fields, "rotateAngle")),
      rotate_pages: text(fields, "rotatePages"),
    })),
  ],
  ...MISSING,
]);
