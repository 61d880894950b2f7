import { JobError } from "../../../domain/errors.ts";

/** A part of a MIME message that is not divided further (RFC 2045, 2046). */
export interface MimePart {
  /** In lower case, without parameters. */
  readonly mediaType: string;
  readonly charset: string | undefined;
  /** Where the part was loaded from (RFC 2557). */
  readonly location: string | undefined;
  /** Without angle brackets. */
  readonly contentId: string | undefined;
  readonly bytes: Buffer;
}

const DEPTH_MAX = 10;
const PARTS_MAX = 5_000;

/**
 * @returns the parts of a message, in order
 * @throws JobError `unsupported_feature` when it has too many
 */
export const mimeParts = (message: Buffer): MimePart[] => {
  const parts: MimePart[] = [];
  const read = (text: string, depth: number): void => {
    const { fields, body } = headerOf(text);
    const type = fields.get("content-type") ?? "text/plain";
    const boundary = /^\s*multipart\//i.test(type) ? parameterOf(type, "boundary") : undefined;
    if (boundary === undefined) {
      parts.push(partOf(fields, type, body));
      if (parts.length > PARTS_MAX) {
        throw new JobError("unsupported_feature", `The file has more than ${PARTS_MAX} parts, which is the limit.`);
      }
    } else if (depth < DEPTH_MAX) {
      for (const inner of innerParts(body, boundary)) {
        read(inner, depth + 1);
      }
    }
  };
  // Latin-1 keeps every byte as one character.
  read(message.toString("latin1"), 0);
  return parts;
};

const headerOf = (text: string): { fields: ReadonlyMap<string, string>; body: string } => {
  const end = /\r?\n\r?\n/.exec(text);
  const head = end === null ? text : text.slice(0, end.index);
  const lines = head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const fields = lines.flatMap((line) => {
    const [, name = "", value = ""] = /^([\w-]{1,60}):(.*)$/.exec(line) ?? [];
    return name === "" ? [] : [[name.toLowerCase(), value.trim()] as const];
  });
  return { fields: new Map(fields), body: end === null ? "" : text.slice(end.index + end[0].length) };
};

const parameterOf = (value: string, name: string): string | undefined => {
  const [, quoted, plain] =
    new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]{1,200})"|([^\\s;"]{1,200}))`, "i").exec(value) ?? [];
  return quoted ?? plain;
};

/** The text before the first and after the last delimiter is for programs that do not know MIME. */
const innerParts = (body: string, boundary: string): string[] => {
  const [, ...parts] = `\n${body}`.split(`\n--${boundary}`);
  const last = parts.findIndex((part) => part.startsWith("--"));
  return parts
    .slice(0, last < 0 ? parts.length : last)
    .slice(0, PARTS_MAX)
    .map((part) => part.replace(/^[ \t]*\r?\n/, "").replace(/\r$/, ""));
};

const partOf = (fields: ReadonlyMap<string, string>, type: string, body: string): MimePart => ({
  mediaType: (type.split(";")[0] ?? "").trim().toLowerCase(),
  charset: parameterOf(type, "charset"),
  location: fields.get("content-location"),
  contentId: fields.get("content-id")?.replace(/^<|>$/g, ""),
  bytes: decoded(body, (fields.get("content-transfer-encoding") ?? "").toLowerCase()),
});

const decoded = (body: string, encoding: string): Buffer => {
  if (encoding === "base64") {
    return Buffer.from(body, "base64");
  }
  const text = encoding === "quoted-printable" ? fromQuotedPrintable(body) : body;
  return Buffer.from(text, "latin1");
};

const fromQuotedPrintable = (text: string): string =>
  text
    .replace(/=[ \t]*\r?\n/g, "")
    .replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
