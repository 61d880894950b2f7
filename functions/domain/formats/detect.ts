import { hasStream, isOle, isoBrands, zipMembers } from "./detect/containers.ts";
import { lateContents } from "./detect/late.ts";
import { mediaContents } from "./detect/media.ts";
import { cameraContents } from "./detect/raw.ts";
import { holdsTar, isTar } from "./detect/tar.ts";
import { isDeclaredXml, isHtmlFragment, textOf, xmlRoot } from "./detect/text.ts";
import type { Format } from "./format.ts";
import { type FormatId, formatOf, formats } from "./formats.ts";
import { signatureOf } from "./signature.ts";

/** The last bytes, joined when they are needed. */
export type Tail = () => Uint8Array;

/** Information about a file in addition to its first bytes. */
export interface DetectionHints {
  /** The last `DETECTION_BYTES` of the file, or all of it. Most formats do not need them. @default the head */
  readonly tail?: Uint8Array | Tail;
  /** Distinguishes formats with the same content; never overrides a signature. */
  readonly filename?: string;
  /** The media type that the sender declares. Used like the filename, if the filename does not decide. */
  readonly mediaType?: string | undefined;
}

/**
 * Detects the format of a file: from its bytes, then from the content of a zip, OLE file, XML or text. If the bytes are
 * ambiguous, the filename decides, then the declared media type, then the shape of the text. A text file named `.png` is
 * a text file.
 *
 * @param head the first `DETECTION_BYTES` of the file, or all of it
 * @returns the format, or undefined if it is unknown
 */
export const detectFormat = (
  head: Uint8Array,
  { tail = head, filename = "", mediaType = "" }: DetectionHints = {},
): FormatId | undefined => {
  const contents = contentsOf(head, typeof tail === "function" ? tail : () => tail);
  const name = filename.toLowerCase();
  const declared = (mediaType.split(";", 1)[0] ?? "").trim().toLowerCase();
  const format =
    namedIn(contents, ({ extensions }) => extensions.some((end) => name.endsWith(`.${end}`))) ??
    namedIn(contents, ({ mediaTypes }) => mediaTypes.includes(declared));
  return (format?.id ?? contents.find((content) => ids.has(content))) as FormatId | undefined;
};

const namedIn = (contents: readonly string[], isNamed: (format: Format) => boolean): Format | undefined =>
  contents
    .map((content) => byName.get(content)?.find(({ format }) => isNamed(format))?.format)
    .find((format) => format !== undefined);

/**
 * Checks a declared format. The signature of another format contradicts it. Text, and content without a known signature,
 * can be of any text format that does not require a header.
 *
 * @returns whether the content can be of the format
 */
export const canBe = (id: FormatId, head: Uint8Array, tail: Tail = () => head): boolean => {
  const format = formatOf(id);
  const { proven, text } = evidenceOf(head, tail);
  const contents =
    text !== undefined ? textKinds(text) : proven.length > 0 ? proven : [...UNKNOWN_CONTENTS, "txt" as const];
  return (
    contents.includes(id) ||
    (format.named !== undefined && contents.includes(format.named)) ||
    isIncompletelySeen(format, proven) ||
    hasSignature(format, head)
  );
};

/** Members and streams that identify a format can be compressed, encrypted or outside the inspected bytes. */
const isIncompletelySeen = ({ members = [], streams = [] }: Format, [content]: readonly string[]): boolean =>
  (content === INCOMPLETE_ZIP && members.length > 0) ||
  (content === "zip" && members.some((member) => member.startsWith("="))) ||
  (content === "ole" && streams.length > 0);

/** Some files have the signatures of two formats: a GeoPackage is also a SQLite database. */
const hasSignature = ({ id, brands = [] }: Format, head: Uint8Array): boolean =>
  signatures.some((signature) => signature.id === id && signature.matches(head)) ||
  isoBrands(head).some((brand) => brands.includes(brand));

const table: readonly Format[] = formats;
const ids: ReadonlySet<string> = new Set(table.map(({ id }) => id));

/** A zip without a complete central directory, or with one that the inspected bytes do not contain. */
const INCOMPLETE_ZIP = "incomplete zip";

/** Formats that are detected by name, by the format of their bytes: a damaged Word file is one that is named like one. */
const byName = Map.groupBy(
  table.flatMap((format) => [
    ...(format.named === undefined ? [] : [{ content: format.named, format }]),
    ...(format.members === undefined ? [] : [{ content: INCOMPLETE_ZIP, format }]),
  ]),
  ({ content }) => content,
);

const signatures = table.flatMap(({ id, magic }) => (magic === undefined ? [] : [{ id, matches: signatureOf(magic) }]));

/** Keywords for `named` of content without a known signature that is not text. */
const UNKNOWN_CONTENTS = ["bytes", "any"];

/** @returns what the content is or can be, most specific first: format IDs, and keywords for `named` */
const contentsOf = (head: Uint8Array, tail: Tail): readonly string[] => {
  const { proven, text } = evidenceOf(head, tail);
  return text !== undefined ? textContents(text) : proven.length > 0 ? proven : UNKNOWN_CONTENTS;
};

/** What the bytes prove, most specific first, or the beginning of the text. Unknown content has neither. */
interface Evidence {
  readonly proven: readonly string[];
  readonly text?: string | undefined;
}

const evidenceOf = (head: Uint8Array, tail: Tail): Evidence => {
  const signature = signatureContents(head, tail);
  const proven = signature.length > 0 ? signature : lateContents(head, tail);
  const text = proven.length > 0 ? undefined : textOf(head);
  return proven.length > 0 || text !== undefined ? { proven, text } : { proven: mediaContents(head) };
};

const signatureContents = (head: Uint8Array, tail: Tail): string[] => {
  // A tar starts with a filename, which can look like the magic number of another format.
  if (isTar(head)) {
    return ["tar"];
  }
  const camera = cameraContents(head);
  if (camera.length > 0) {
    return camera;
  }
  const magic = signatures.find(({ matches }) => matches(head));
  if (magic?.id === "zip") {
    return zipContents(head, tail());
  }
  if (magic !== undefined) {
    return (magic.id === "gz" || magic.id === "zst") && holdsTar(head, magic.id) ? [`t${magic.id}`] : [magic.id];
  }
  if (isOle(head)) {
    // Stream names can be outside the inspected bytes, and those in an encrypted file are hidden.
    const ends = [head, tail()];
    const match = table.find(({ streams }) => streams?.some((name) => hasStream(ends, name)));
    return match === undefined ? ["ole"] : [match.id];
  }
  const brands = isoBrands(head);
  return idOf(brands.map((name) => table.find((format) => format.brands?.includes(name))).find(Boolean));
};

const idOf = (format: Format | undefined): string[] => (format === undefined ? [] : [format.id]);

const zipContents = (head: Uint8Array, tail: Uint8Array): string[] => {
  const { paths, complete } = zipMembers(head, tail);
  const format = table.find(({ members }) => members?.some((wanted) => paths.some((path) => isMember(path, wanted))));
  return [...(format === undefined ? (complete ? [] : [INCOMPLETE_ZIP]) : [format.id]), "zip"];
};

const isMember = (path: string, wanted: string): boolean =>
  wanted.startsWith("*")
    ? path.toLowerCase().endsWith(wanted.slice(1))
    : wanted.startsWith("=")
      ? path === wanted
      : path.startsWith(wanted);

const textContents = (text: string): string[] => {
  const root = xmlRoot(text);
  const match = table.find((format) => isOfShape(format, text, root));
  if (match !== undefined) {
    return [match.id];
  }
  const anyXml = root === undefined ? [] : idOf(table.find(({ xmlRoots }) => xmlRoots?.includes("*")));
  if (anyXml.length > 0 && isDeclaredXml(text)) {
    return anyXml;
  }
  const loose = table.find(({ looseShape }) => looseShape?.test(text));
  return [...(isHtmlFragment(text) ? ["tags", "html"] : []), ...anyXml, ...idOf(loose), "txt", "any"];
};

/** @returns everything that a text can be, by its shape or by a declaration */
const textKinds = (text: string): string[] => {
  const root = xmlRoot(text);
  const kinds = table.filter((format) => isOfShape(format, text, root) || format.looseShape?.test(text));
  return [...kinds.map(({ id }) => id), ...(root === undefined ? [] : ["xml"]), "txt", "any"];
};

const isOfShape = ({ shape, xmlRoots }: Format, text: string, root: string | undefined): boolean =>
  shape?.test(text) === true || (root !== undefined && xmlRoots?.includes(root) === true);
