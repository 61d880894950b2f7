import { JobError } from "../../domain/errors.ts";
import type { FormatId } from "../../domain/formats.ts";
import type { Warning } from "../../domain/jobs.ts";
import { readZip, type ZipDocument } from "../io/zip-reader.ts";

/** A format that is a zip, and brings its pictures with it. */
export interface ContainerRow {
  /** The folder within the zip that the names of pictures begin at. */
  readonly base: string;
  /** The members that pandoc reads as text. */
  readonly texts: RegExp;
  /** Whether a document type is out of place. */
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
 * Goes over all texts of the zip before pandoc does, which believes what a zip says of its sizes.
 *
 * @returns what the document has and pandoc does not look at
 * @throws JobError `archive_unsafe`, `source_corrupt`, `password_required`, `unsupported_feature` for entities
 */
export const checkContainer = (path: string, { texts, typeless }: ContainerRow): Promise<Warning[]> =>
  readZip(path, async (zip) => {
    for (const member of zip.paths.filter((each) => texts.test(each))) {
      checkText((await zip.read(member))?.toString("latin1") ?? "", typeless);
    }
    if (/<manifest:encryption-data/.test(await textOf(zip, "META-INF/manifest.xml"))) {
      throw new JobError("password_required", "The document is encrypted.");
    }
    return unread(zip);
  });

const checkText = (xml: string, typeless: boolean): void => {
  if (/<!ENTITY/i.test(xml) || (typeless && /<!DOCTYPE/i.test(xml))) {
    throw new JobError("unsupported_feature", "The document declares a document type or entities of its own.");
  }
  checkDepth(xml);
};

/** How deep elements may be nested: pandoc goes down by recursion. A table in a table in a table needs 40. */
const DEPTH_MAX = 500;

/** @throws JobError `unsupported_feature` */
export const checkDepth = (xml: string): void => {
  let depth = 0;
  for (const [, close, closed] of xml.matchAll(/<(\/?)[^\s<>?!/][^<>]*?(\/?)>/g)) {
    depth += close ? -1 : closed ? 0 : 1;
    if (depth > DEPTH_MAX) {
      throw new JobError("unsupported_feature", `The document is nested deeper than ${DEPTH_MAX} elements.`);
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
  detail: "Headers and footers of the pages were left out.",
};
const COMMENTS_DROPPED: Warning = { code: "comments_dropped", detail: "Comments were left out." };
const DRAWINGS_DROPPED: Warning = { code: "drawings_dropped", detail: "Charts or drawings were left out." };
const attachments = (count: number): Warning => ({
  code: "attachments_dropped",
  detail: `Files embedded in the document were left out: ${count}.`,
});

/**
 * Hands over the pictures of a document one after the other.
 *
 * @param names what the document calls them
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
