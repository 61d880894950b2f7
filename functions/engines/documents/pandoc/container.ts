import { JobError } from "../../../domain/errors.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import { passwordNeeded } from "../../archives/zip/encrypted.ts";
import { readZip, type ZipDocument } from "../../archives/zip/reader.ts";

/** A zip-based format with embedded pictures. */
export interface ContainerRow {
  /** The directory in the zip that picture names are relative to. */
  readonly base: string;
  /** The members that pandoc reads as text. */
  readonly texts: RegExp;
  /** Whether a document type declaration is rejected. */
  readonly typeless: boolean;
}

export interface Container extends ContainerRow {
  readonly path: string;
}

export const containers: Partial<Record<FormatId, ContainerRow>> = {
  docx: { base: "word/", texts: /\.(?:xml|rels)$/i, typeless: true },
  odt: { base: "", texts: /\.(?:xml|rdf)$/i, typeless: false },
};

/**
 * Checks all texts in the zip before pandoc reads them, because pandoc trusts the sizes that a zip declares.
 *
 * @returns warnings about content that pandoc ignores
 * @throws JobError `archive_unsafe`, `source_corrupt`, `password_required`, `unsupported_feature` for entities
 */
export const checkContainer = (path: string, { texts, typeless }: ContainerRow, from: FormatId): Promise<Warning[]> => {
  const check = async (zip: ZipDocument): Promise<Warning[]> => {
    for (const member of zip.paths.filter((each) => texts.test(each))) {
      checkText((await zip.read(member))?.toString("latin1") ?? "", typeless);
    }
    if (/<manifest:encryption-data/.test(await textOf(zip, "META-INF/manifest.xml"))) {
      throw passwordNeeded(from);
    }
    return unread(zip);
  };
  return readZip(path, check, from);
};

const checkText = (xml: string, typeless: boolean): void => {
  if (/<!ENTITY/i.test(xml) || (typeless && /<!DOCTYPE/i.test(xml))) {
    throw new JobError("unsupported_feature", "The document declares a document type or custom entities.", {
      isFinal: true,
    });
  }
  checkDepth(xml);
};

/** Maximum nesting depth of elements: pandoc is recursive. Three nested tables need 40. */
const DEPTH_MAX = 500;

/** @throws JobError `unsupported_feature` */
export const checkDepth = (xml: string): void => {
  let depth = 0;
  for (const [, close, closed] of xml.matchAll(/<(\/?)[^\s<>?!/][^<>]*?(\/?)>/g)) {
    depth += close ? -1 : closed ? 0 : 1;
    if (depth > DEPTH_MAX) {
      throw new JobError(
        "unsupported_feature",
        `The document is nested more than ${DEPTH_MAX} elements deep, which is the limit.`,
        { isFinal: true },
      );
    }
  }
};

const textOf = async (zip: ZipDocument, path: string): Promise<string> =>
  (await zip.read(path))?.toString("utf8") ?? "";

const unread = async (zip: ZipDocument): Promise<Warning[]> => {
  const frames = zip.paths.filter((path) => /^word\/(?:header|footer)\d*\.xml$/.test(path));
  const framed = await Promise.all(frames.map((path) => textOf(zip, path)));
  const body = await textOf(zip, "word/document.xml");
  const embedded = zip.paths.filter((path) => /^word\/embeddings\//.test(path)).length;
  return [
    ...(framed.some((xml) => /<w:t[ >]/.test(xml)) ? [HEADERS_DROPPED] : []),
    ...(/<w:comment[ >]/.test(await textOf(zip, "word/comments.xml")) ? [COMMENTS_DROPPED] : []),
    ...(/<(?:c:chart|dgm:relIds|wpc:wpc|wps:wsp)[\s>]/.test(body) ? [DRAWINGS_DROPPED] : []),
    ...(embedded > 0 ? [attachments(embedded)] : []),
  ];
};

const HEADERS_DROPPED: Warning = {
  code: "headers_dropped",
  detail: "Headers and footers were left out.",
};
const COMMENTS_DROPPED: Warning = { code: "comments_dropped", detail: "Comments were left out." };
const DRAWINGS_DROPPED: Warning = { code: "drawings_dropped", detail: "Charts or drawings were left out." };
const attachments = (count: number): Warning => ({
  code: "attachments_dropped",
  detail: `Files embedded in the document were left out: ${count}.`,
});

/**
 * Passes on the pictures of a document one at a time.
 *
 * @param names the names that the document uses for them
 */
export const eachPicture = (
  { path, base }: Container,
  names: readonly string[],
  use: (name: string, bytes: Buffer) => Promise<void>,
): Promise<void> =>
  readZip(path, async (zip) => {
    for (const name of names) {
      const member = memberOf(zip, base, name);
      const bytes = member === undefined ? undefined : await zip.read(member);
      if (bytes !== undefined) {
        await use(name, bytes);
      }
    }
  });

/** Readers name a picture by its path from the root, or from the chapter that shows it. */
const memberOf = (zip: ZipDocument, base: string, name: string): string | undefined => {
  const plain = decoded(name).replace(/^(?:\.{0,2}\/)+/, "");
  return (
    [base + plain, plain].find((path) => zip.has(path)) ??
    (plain === "" ? undefined : zip.paths.find((path) => path.endsWith(`/${plain}`)))
  );
};

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};
