import { open, readFile } from "node:fs/promises";
import type { StagedFile } from "./form.ts";
import type { Intermediate } from "./operations.ts";

/** What the conversion of a PDF to JSON describes. The file is written by this service. */
interface Description {
  readonly page_count: number;
  readonly metadata: Readonly<Record<string, string | null>>;
  readonly bookmarks: readonly { readonly title: string; readonly page: number | null; readonly level: number }[];
}

export const describe = async (file: StagedFile, convert: Intermediate): Promise<Description> => {
  const { path } = await convert({ files: [file], target: "json", options: {} });
  return JSON.parse(await readFile(path, "utf8")) as Description;
};

/** Names of ExifTool. */
const NAMES: Readonly<Record<string, string>> = {
  title: "Title",
  author: "Author",
  subject: "Subject",
  keywords: "Keywords",
  creator: "Creator",
  producer: "Producer",
  created_at: "CreateDate",
  modified_at: "ModifyDate",
};

/** @returns the metadata of a PDF as ExifTool lists it */
export const metadataOf = async (file: StagedFile, convert: Intermediate): Promise<Record<string, unknown>> => {
  const { metadata, page_count } = await describe(file, convert);
  const properties = Object.entries(metadata).flatMap(([name, value]) => {
    const known = NAMES[name];
    return known === undefined || value === null ? [] : [[known, name.endsWith("_at") ? dateOf(value) : value]];
  });
  return {
    FileName: file.name,
    FileType: "PDF",
    MIMEType: "application/pdf",
    ...(await versionOf(file.path)),
    PageCount: page_count,
    ...Object.fromEntries(properties),
  };
};

/** `2024-03-05T09:15:32.000Z` as `2024:03:05 09:15:32Z`. */
const dateOf = (date: string): string => date.replace(/^(\d+)-(\d+)-(\d+)T/, "$1:$2:$3 ").replace(/\.\d+Z$/, "Z");

/** The header is in the first bytes. */
const HEADER_BYTES = 1_024;

const versionOf = async (path: string): Promise<{ readonly PDFVersion?: number }> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    const [, version] = /%PDF-(\d\.\d)/.exec(buffer.toString("latin1", 0, bytesRead)) ?? [];
    return version === undefined ? {} : { PDFVersion: Number(version) };
  } finally {
    await file.close();
  }
};

/** A bookmark of Gotenberg. */
interface Bookmark {
  readonly title: string;
  readonly page: number;
  readonly children: Bookmark[];
}

/** @returns the bookmarks of a PDF as a tree; those without a page have the page 0 */
export const bookmarksOf = async (file: StagedFile, convert: Intermediate): Promise<Bookmark[]> => {
  const { bookmarks } = await describe(file, convert);
  const root: Bookmark[] = [];
  const open: { readonly level: number; readonly children: Bookmark[] }[] = [{ level: 0, children: root }];
  for (const { title, page, level } of bookmarks) {
    while ((open.at(-1)?.level ?? 0) >= level && open.length > 1) {
      open.pop();
    }
    const bookmark: Bookmark = { title, page: page ?? 0, children: [] };
    open.at(-1)?.children.push(bookmark);
    open.push({ level, children: bookmark.children });
  }
  return root;
};
