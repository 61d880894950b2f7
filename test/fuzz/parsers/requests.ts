import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { conversionRequest } from "../../../functions/api/conversion/conversion-request.ts";
import { pageOf } from "../../../functions/api/middleware/pages.ts";
import { waitMilliseconds } from "../../../functions/api/middleware/wait.ts";
import { pathParams } from "../../../functions/api/paths.ts";
import { type ApiRequest, hasVersion } from "../../../functions/api/request.ts";
import { routes } from "../../../functions/api/routes.ts";
import { readForm } from "../../../functions/api/uploads/multipart.ts";
import { bearerKey, hashApiKey, isApiKey, newApiKey } from "../../../functions/domain/accounts/keys.ts";
import { attachment } from "../../../functions/domain/content-disposition.ts";
import { pageOptions } from "../../../functions/domain/conversions/options/pages.ts";
import { checkOptions, type OptionName, optionFromText } from "../../../functions/domain/conversions/options.ts";
import { chosenPages } from "../../../functions/domain/conversions/page-ranges.ts";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import { formatNamed, formats } from "../../../functions/domain/formats/formats.ts";
import { DETECTION_BYTES, FILENAME_CHARACTERS_MAX, WAIT_SECONDS_MAX } from "../../../functions/domain/limits.ts";
import { safeFilename, withExtension } from "../../../functions/domain/uploads/upload.ts";
import { urlSigner } from "../../../local/http/signed-urls.ts";
import { nastyTexts } from "../../support/nasty.ts";
import { requestOf } from "../../support/world/requests.ts";
import { changedJson } from "../grammars/json.ts";
import { broken, isRefusal, type Parser, refusing } from "../parser.ts";
import { everySample } from "../samples.ts";

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The first line is the content type, the rest the body. */
const formOf = (input: Buffer): { type: string; body: Buffer } => {
  const end = input.indexOf(10);
  return end === -1
    ? { type: "multipart/form-data; boundary=b", body: input }
    : { type: input.toString("latin1", 0, end).trim(), body: input.subarray(end + 1) };
};

const formRequest = (type: string, body: Buffer, chunkBytes: number): ApiRequest => {
  const chunks = Array.from({ length: Math.ceil(body.length / chunkBytes) }, (_, index) =>
    body.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  return { ...requestOf(undefined), headers: { "content-type": type }, stream: () => Readable.from(chunks) };
};

/** @returns the file's name and hash, or the code of the error */
const outcomeOf = async (request: ApiRequest): Promise<string> => {
  try {
    const { files, fields } = await readForm(request, {
      filesMax: 3,
      bodyBytesMax: 100_000_000,
      store: async ({ filename, content }) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of content) {
          pieces.push(piece);
        }
        return `${filename} ${hashOf(Buffer.concat(pieces))}`;
      },
      discard: async () => undefined,
    });
    return JSON.stringify([files, fields]);
  } catch (error) {
    if (!isRefusal(error)) {
      throw error;
    }
    return error instanceof Error && "code" in error ? String(error.code) : "";
  }
};

/** The result does not depend on the chunks of the body. */
const holdForm = async (input: Buffer): Promise<void> => {
  const { type, body } = formOf(input);
  const whole = await outcomeOf(formRequest(type, body, Math.max(1, body.length)));
  const chunkBytes = 1 + (body.length % 97);
  const inPieces = await outcomeOf(formRequest(type, body, Math.max(chunkBytes, body.length >> 9)));
  if (whole !== inPieces) {
    throw broken("A form is read independently of its chunks", { whole, inPieces, chunkBytes });
  }
};

const ids: ReadonlySet<string | undefined> = new Set([...formats.map(({ id }) => id), undefined]);

/** For any bytes and name the result is one of our formats or none, and stable. */
const holdDetection = (input: Buffer): void => {
  const filename = input.toString("latin1", 0, 20);
  const head = input.subarray(0, DETECTION_BYTES);
  const tail = input.subarray(-DETECTION_BYTES);
  const detected = [detectFormat(head), detectFormat(head, { tail, filename }), detectFormat(head, { tail, filename })];
  if (!detected.every((format) => ids.has(format)) || detected[1] !== detected[2]) {
    throw broken("A format is one of the table", detected);
  }
};

const OPTION_NAMES: readonly OptionName[] = [
  "pages",
  "quality",
  "width",
  "background",
  "trim_start",
  "trim_end",
  "sheet",
  "encoding",
  "ocr_language",
  "page_margin",
  "scale",
  "password",
  "dpi",
  "fps",
  "delay",
];

/** A body is accepted or rejected per field, and an accepted one fits in a job record; options are stable. */
const holdBody = (input: Buffer): void => {
  const text = input.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = text;
  }
  const taken = conversionRequest.safeParse(value);
  if (taken.success && JSON.stringify(taken.data).length > 200_000 && taken.data.options === undefined) {
    throw broken("An accepted request is small", JSON.stringify(taken.data).length);
  }
  const options = checkOptions({ options: OPTION_NAMES }, value);
  const again = checkOptions({ options: OPTION_NAMES }, JSON.parse(JSON.stringify(options)));
  if (JSON.stringify(options) !== JSON.stringify(again)) {
    throw broken("Valid options stay valid", options);
  }
  if (typeof options.pages === "string") {
    holdPages(Buffer.from(options.pages));
  }
};

/** A valid `pages` option returns existing pages, each once, with work linear in pages and ranges. */
const holdPages = (input: Buffer): void => {
  const text = input.toString();
  if (!pageOptions.pages.safeParse(text).success) {
    return;
  }
  for (const count of [1, 7, 2_000]) {
    const pages = refusing(() => chosenPages(text, count)) ?? [];
    if (pages.length > count || pages.some((page) => !Number.isInteger(page) || page < 1 || page > count)) {
      throw broken("Pages exist in the document", { count, pages: pages.slice(0, 20) });
    }
  }
};

const KEY = newApiKey((count) => Buffer.alloc(count, 7));
const signer = urlSigner(Buffer.alloc(32, 1));
const SIGNED = signer.sign("results/job_1/1/a.png", { filename: "a b.png", mediaType: "image/png", expiresAt: 9e12 });

/** Only our keys have the form of one, and only signed URLs are accepted. */
const holdTokens = (input: Buffer): void => {
  const text = input.toString();
  if (isApiKey(text) && !/^af_(?:live|test)_[0-9A-Za-z]{49}$/.test(text)) {
    throw broken("A key has the form of one", text);
  }
  hashApiKey(text);
  const opened = signer.open(text, 0);
  if (typeof opened === "object" && (opened.key !== "results/job_1/1/a.png" || opened.filename !== "a b.png")) {
    throw broken("A signed URL returns what was signed", [text, opened]);
  }
  for (const { path } of routes) {
    pathParams(path, text);
  }
  formatNamed(text);
  optionFromText(text.slice(0, 10), text);
  const request: ApiRequest = {
    ...requestOf(undefined),
    query: { wait: text, after: text, limit: text },
    headers: { prefer: text, "if-none-match": text },
  };
  hasVersion(request, '"a"');
  const milliseconds = waitMilliseconds({ ...request, query: {} });
  if (!(milliseconds >= 0 && milliseconds <= WAIT_SECONDS_MAX * 1_000)) {
    throw broken("A wait is within its limits", milliseconds);
  }
  refusing(() => bearerKey(text));
  refusing(() => pageOf(request, "job_"));
  refusing(() => waitMilliseconds(request));
};

/** A name is safe to show, to save and to send in a header. */
const holdNames = (input: Buffer): void => {
  for (const text of [input.toString(), input.toString("latin1"), input.toString("utf16le")]) {
    const safe = safeFilename(text);
    const header = attachment(text);
    if (
      safe === "" ||
      /[\\/\p{Cc}\u202a-\u202e]/u.test(safe) ||
      [...safe].length > FILENAME_CHARACTERS_MAX ||
      /^\.+$/.test(safe)
    ) {
      throw broken("A name is safe to save", safe);
    }
    if (safeFilename(safe) !== safe) {
      throw broken("A safe name stays unchanged", safe);
    }
    if (!/^[ -~]*$/.test(header) || !withExtension(text, "png").endsWith(".png")) {
      throw broken("A name is safe in a header", header);
    }
  }
};

const part = (disposition: string, more = ""): string =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`;
const FORM = `multipart/form-data; boundary=b\n${part('name="file"; filename="a.png"', "Content-Type: image/png\r\n")}content\r\n--b--\r\n`;

export const requestParsers: readonly Parser[] = [
  {
    name: "multipart",
    sources: ["functions/api/uploads/multipart.ts"],
    samples: () => [
      FORM,
      FORM.replace("filename=", "filename*=UTF-8''"),
      FORM.replace("--b--", `${part('name="x"')}1\r\n--b--`),
    ],
    words: [
      "--b\r\n",
      "--b--",
      "\r\n",
      "\r\n\r\n",
      part('name="file"; filename="x"'),
      "filename*=UTF-8''%ff",
      "; boundary=",
      '"',
      "Content-Transfer-Encoding: base64\r\n",
      "\0",
    ],
    hold: holdForm,
  },
  {
    name: "detect",
    sources: ["functions/domain/formats/detect.ts", "functions/domain/formats/detect/"],
    samples: () => everySample(8_192),
    words: [
      "PK\x03\x04",
      "PK\x01\x02",
      "PK\x05\x06",
      "<?xml",
      "<svg",
      "RIFF",
      "ftyp",
      "\x7fELF",
      "%PDF-",
      "ID3",
      "ustar",
      "{",
      "\xff\xfb",
      "OggS",
      "II*\0",
      "MM\0*",
    ],
    hold: holdDetection,
  },
  {
    name: "body",
    sources: [
      "functions/domain/conversions/options.ts",
      "functions/domain/options/",
      "functions/api/conversion/conversion-request.ts",
      "functions/domain/schema.ts",
    ],
    samples: () => [
      '{"upload_id":"upl_1","target_format":"png","options":{"width":10},"metadata":{"a":"b"},"webhook_url":"https://a.b/c"}',
      '{"pages":"1-3,7,9-","quality":80,"width":100,"background":"#fff","trim_start":"1:30.5","sheet":1,"encoding":"utf-8"}',
      '{"upload_ids":["a","b"],"target_format":".PDF","filename":"x"}',
    ],
    words: ['"', ":", ",", "{", "}", "[", "]", "null", "1e21", '"__proto__":{}', "\\u0000", "\\ud800", "0:", "+en"],
    change: changedJson([...OPTION_NAMES, "upload_id", "metadata", "webhook_url", "http://[::1]", "1-3", "0:30"]),
    hold: holdBody,
  },
  {
    name: "pages",
    sources: ["functions/domain/conversions/page-ranges.ts"],
    samples: () => ["1-3,7,9-", " 2 - 5 , 1", "1-99999999999999999999"],
    words: ["1-", ",", "-", " ", "0", "9007199254740993", "1-2000,"],
    hold: holdPages,
  },
  {
    name: "tokens",
    sources: [
      "functions/domain/accounts/keys.ts",
      "functions/api/middleware/pages.ts",
      "functions/api/middleware/wait.ts",
      "functions/api/paths.ts",
      "local/http/signed-urls.ts",
      "functions/domain/formats/formats.ts",
    ],
    samples: () => [
      KEY,
      `Bearer ${KEY}`,
      SIGNED,
      "/api/v1/convert/job_1/status",
      "wait=25, respond-async",
      'W/"a", "b"',
    ],
    words: ["af_test_", "Bearer ", "%00", "%2f", "%", "&expires=", "&filename=", "wait=", "job_", "/", "*", "=", "+"],
    hold: holdTokens,
  },
  {
    name: "names",
    sources: ["functions/domain/uploads/upload.ts", "functions/domain/content-disposition.ts"],
    samples: () => ["a.png", "..", "../../a", "C:\\a\\b.txt", "e\u0301.jpeg", ...nastyTexts.slice(0, 25)],
    words: ["/", "\\", "..", ".", "\u202e", "\0", "\ud800", "%2f", '"', "'", "\u{1f600}", " "],
    hold: holdNames,
  },
];
