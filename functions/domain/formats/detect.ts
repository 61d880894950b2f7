import { hasStream, isOle, isoBrands, zipMembers } from "./detect/containers.ts";
import { mediaContents } from "./detect/media.ts";
import { cameraContents } from "./detect/raw.ts";
import { holdsTar, isTar } from "./detect/tar.ts";
import { textOf, xmlRoot } from "./detect/text.ts";
import type { Format } from "./format.ts";
import { type FormatId, formats } from "./formats.ts";

/** Information about a file in addition to its first bytes. */
export interface DetectionHints {
  /** The last `DETECTION_BYTES` of the file, or all of it. @default the head */
  readonly tail?: Uint8Array;
  /** Distinguishes formats with the same content; never overrides the content. */
  readonly filename?: string;
}

/**
 * Detects the format of a file: from its bytes, then from the content of a zip, OLE file, XML or text, and from its
 * name if the bytes are ambiguous. A text file named `.png` is a text file.
 *
 * @param head the first `DETECTION_BYTES` of the file, or all of it
 * @returns the format, or undefined if it is unknown
 */
export const detectFormat = (head: Uint8Array, { tail = head, filename = "" }: DetectionHints = {}) => {
  const contents = contentsOf(head, tail);
  const name = filename.toLowerCase();
  const named = contents
    .map((content) => byName.get(content)?.find(({ extensions }) => extensions.some((end) => name.endsWith(`.${end}`))))
    .find((format) => format !== undefined);
  return (named?.id ?? contents.find((content) => ids.has(content))) as FormatId | undefined;
};

const table: readonly Format[] = formats;
const ids: ReadonlySet<string> = new Set(table.map(({ id }) => id));

/** Formats that are detected by name, by the format of their bytes. */
const byName = Map.groupBy(
  table.filter(({ named }) => named !== undefined),
  ({ named }) => named,
);

/** The magic numbers as bytes; -1 matches any byte. */
const magics = table.flatMap(({ id, magic = [] }) =>
  magic.map((all) => ({
    id,
    all: all.map(({ offset, hex }) => ({
      offset,
      bytes: hex.split(" ").map((byte) => (byte === "??" ? -1 : Number.parseInt(byte, 16))),
    })),
  })),
);

/** @returns what the bytes prove, most specific first: format IDs, and keywords for `named` */
const contentsOf = (head: Uint8Array, tail: Uint8Array): string[] => {
  // A tar starts with a filename, which can look like the magic number of another format.
  if (isTar(head)) {
    return ["tar"];
  }
  const camera = cameraContents(head);
  if (camera.length > 0) {
    return camera;
  }
  const magic = magics.find(({ all }) =>
    all.every(({ offset, bytes }) => bytes.every((byte, index) => byte === -1 || head[offset + index] === byte)),
  );
  if (magic?.id === "zip") {
    return [...idOf(memberFormat(zipMembers(head, tail))), "zip"];
  }
  if (magic !== undefined) {
    return (magic.id === "gz" || magic.id === "zst") && holdsTar(head, magic.id) ? [`t${magic.id}`] : [magic.id];
  }
  if (isOle(head)) {
    // Stream names can be outside the inspected bytes, and those in an encrypted file are hidden.
    const match = table.find(({ streams }) => streams?.some((name) => hasStream([head, tail], name)));
    return match === undefined ? ["ole"] : [match.id];
  }
  const brands = isoBrands(head);
  const brand = brands.map((name) => table.find((format) => format.brands?.includes(name))).find(Boolean);
  return brand === undefined ? textContents(head) : [brand.id];
};

const idOf = (format: Format | undefined): string[] => (format === undefined ? [] : [format.id]);

const memberFormat = (paths: readonly string[]): Format | undefined =>
  table.find(({ members }) => members?.some((wanted) => paths.some((path) => isMember(path, wanted))));

const isMember = (path: string, wanted: string): boolean =>
  wanted.startsWith("*")
    ? path.toLowerCase().endsWith(wanted.slice(1))
    : wanted.startsWith("=")
      ? path === wanted
      : path.startsWith(wanted);

const textContents = (head: Uint8Array): string[] => {
  const text = textOf(head);
  if (text === undefined) {
    const media = mediaContents(head);
    return media.length > 0 ? media : ["bytes", "any"];
  }
  const root = xmlRoot(text);
  const match = table.find(
    ({ shape, xmlRoots }) => shape?.test(text) || (root !== undefined && xmlRoots?.includes(root)),
  );
  if (match !== undefined) {
    return [match.id];
  }
  const anyXml = root === undefined ? undefined : table.find(({ xmlRoots }) => xmlRoots?.includes("*"));
  const loose = table.find(({ looseShape }) => looseShape?.test(text));
  return [...idOf(anyXml), ...idOf(loose), "txt", "any"];
};
