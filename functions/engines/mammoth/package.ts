import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/jobs.ts";
import type { ZipDocument } from "../io/zip-reader.ts";

/** A Word document's parts as mammoth asks for them, and what is known of it beside its text. */
export interface DocxPackage {
  readonly exists: (path: string) => boolean;
  /** With an encoding it is a text, `base64` among them. */
  readonly read: (path: string, encoding?: string) => Promise<string | Uint8Array>;
  readonly properties: {
    readonly title?: string;
    readonly lang?: string;
    readonly metadata: Readonly<Record<string, string>>;
  };
  /** What the document has and mammoth does not look at. */
  readonly warnings: readonly Warning[];
}

/** @returns the parts, each checked before mammoth sees it; bytes are counted as they come out of the zip */
export const packageOf = async (zip: ZipDocument): Promise<DocxPackage> => {
  const text = async (path: string): Promise<string> => (await zip.read(path))?.toString("utf8") ?? "";
  return {
    exists: (path) => zip.has(path),
    read: async (path, encoding) => {
      const bytes = await zip.read(path);
      if (bytes === undefined) {
        throw new JobError("source_corrupt", "The Word document lacks a part that it refers to.");
      }
      if (/\.(?:xml|rels)$/i.test(path)) {
        checkXml(decoded(bytes));
      }
      // Mammoth asks for `utf-8` and `base64` only.
      return encoding === undefined ? bytes : encoding === "base64" ? bytes.toString("base64") : decoded(bytes);
    },
    properties: propertiesOf(await text("docProps/core.xml")),
    warnings: await unread(zip, text),
  };
};

/** XML may be UTF-16, though Word writes UTF-8. */
const decoded = (bytes: Buffer): string => {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : undefined;
  return new TextDecoder(utf16).decode(bytes);
};

/** How deep elements may be nested: mammoth goes down by recursion. A table in a table in a table needs 40. */
const DEPTH_MAX = 500;

/** Marks `<` that begin no element, as no XML but its comments has them: mammoth's parser takes time with their square. */
const STRAY_MARKS_MAX = 500;

/** A document type has no place in Word's files (ECMA-376 part 2, 8.2.5); entities that grow would stand there. */
const checkXml = (xml: string): void => {
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) {
    throw new JobError("unsupported_feature", "The Word document declares a document type, which it may not have.");
  }
  if ((xml.match(/<[\s<]/g)?.length ?? 0) > STRAY_MARKS_MAX) {
    throw new JobError("source_corrupt", "The Word document is damaged: its XML has marks that begin nothing.");
  }
  let depth = 0;
  for (const [, close, closed] of xml.matchAll(/<(\/?)[^\s<>?!/][^<>]*?(\/?)>/g)) {
    depth += close ? -1 : closed ? 0 : 1;
    if (depth > DEPTH_MAX) {
      throw new JobError("unsupported_feature", `The Word document is nested deeper than ${DEPTH_MAX} elements.`);
    }
  }
};

const NAMED = { "dc:creator": "author", "dc:description": "description", "cp:keywords": "keywords" } as const;

const propertiesOf = (xml: string): DocxPackage["properties"] => {
  const field = (name: string): string =>
    new RegExp(`<${name}(?:\\s[^>]{0,300})?>([^<]{1,500})</${name}>`)
      .exec(xml)?.[1]
      ?.replace(ENTITY, unescaped)
      .trim() ?? "";
  const metadata = Object.entries(NAMED).flatMap(([name, ours]) => (field(name) === "" ? [] : [[ours, field(name)]]));
  const [title, lang] = [field("dc:title"), field("dc:language")];
  return { ...(title && { title }), ...(lang && { lang }), metadata: Object.fromEntries(metadata) };
};

const ENTITY = /&(lt|gt|amp|quot|apos);/g;
const LETTERS: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const unescaped = (_: string, name: string): string => LETTERS[name] ?? "";

const unread = async (zip: ZipDocument, text: (path: string) => Promise<string>): Promise<Warning[]> => {
  const warnings: Warning[] = [];
  const frames = zip.paths.filter((path) => /^word\/(?:header|footer)\d*\.xml$/.test(path));
  const framed = await Promise.all(frames.map(text));
  if (framed.some((xml) => /<w:t[ >]/.test(xml))) {
    warnings.push({ code: "headers_dropped", detail: "Headers and footers of the pages were left out." });
  }
  if (/<w:comment[ >]/.test(await text("word/comments.xml"))) {
    warnings.push({ code: "comments_dropped", detail: "Comments were left out." });
  }
  const embedded = zip.paths.filter((path) => /^word\/embeddings\//.test(path)).length;
  if (embedded > 0) {
    warnings.push({
      code: "attachments_dropped",
      detail: `Files embedded in the document were left out: ${embedded}.`,
    });
  }
  return warnings;
};
