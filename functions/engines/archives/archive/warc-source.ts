import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import { type Budget, counted } from "./budget.ts";
import type { RawEntry } from "./entry.ts";
import { fieldsOf, type HeadReader, headReader } from "./head-reader.ts";
import { bodyBytes } from "./http-body.ts";

interface WarcTask {
  /** The archive without its compression. */
  readonly bytes: AsyncIterable<Buffer>;
  /** A folder for one file at a time: the size of a decoded body is known only at its end. */
  readonly folder: string;
  readonly budget: Budget;
  readonly warn: (warning: Warning) => void;
}

/** Records with content that was fetched. Requests, and data about records, are not files. */
const WITH_CONTENT: readonly string[] = ["response", "resource", "conversion"];

const HEADERS_DROPPED: Warning = {
  code: "metadata_dropped",
  detail: "The web archive's requests and HTTP headers are not kept, only the files.",
};

/**
 * Returns the pages and files of a web archive (WARC 1.0 and 1.1, ISO 28500), by the host and path of their URL. Bodies
 * are decoded as a browser would.
 *
 * @throws JobError `source_corrupt`, `archive_unsafe`; `unsupported_feature` without any
 */
export const warcEntries = async function* ({ bytes, folder, budget, warn }: WarcTask): AsyncGenerator<RawEntry> {
  const reader = headReader(bytes);
  const file = join(folder, "body");
  let isWarned = false;
  let files = 0;
  for (let head = await reader.head(); head !== undefined; head = await reader.head()) {
    const fields = fieldsOf(head);
    const block = reader.block(lengthOf(head, fields));
    if (!WITH_CONTENT.includes(fields.get("warc-type") ?? "")) {
      await drained(block);
      continue;
    }
    const isHttp = /^application\/http\b/i.test(fields.get("content-type") ?? "");
    if (isHttp && !isWarned) {
      warn(HEADERS_DROPPED);
      isWarned = true;
    }
    await pipeline(counted(contentOf(headReader(block), isHttp), budget), createWriteStream(file));
    const { size } = await stat(file);
    files += 1;
    yield {
      path: pathOf(fields.get("warc-target-uri") ?? ""),
      kind: "file",
      modified: new Date(fields.get("last-modified") ?? fields.get("warc-date") ?? 0),
      mode: 0,
      bytes: size,
      content: () => createReadStream(file),
    };
    await rm(file, { force: true });
  }
  if (files === 0) {
    throw new JobError("unsupported_feature", "The web archive has no responses, only data about them.");
  }
};

const VERSION = /^WARC\/\d\.\d{1,2}\r?\n/;

const lengthOf = (head: string, fields: ReadonlyMap<string, string>): number => {
  const length = fields.get("content-length") ?? "";
  if (!VERSION.test(`${head}\n`) || !/^\d{1,15}$/.test(length)) {
    throw new JobError("source_corrupt", "The web archive has an invalid record.");
  }
  return Number(length);
};

const contentOf = async function* (block: HeadReader, isHttp: boolean): AsyncGenerator<Buffer> {
  if (!isHttp) {
    yield* block.rest();
    return;
  }
  const head = await block.head();
  if (head !== undefined) {
    yield* bodyBytes(block.rest(), fieldsOf(head));
  }
};

const drained = async (block: AsyncIterable<Buffer>): Promise<void> => {
  for await (const _ of block) {
    // Skip the block.
  }
};

/** @returns `example.com/folder/index.html` for `https://example.com/folder/` */
const pathOf = (uri: string): string => {
  const text = uri.replaceAll(/^<|>$/g, "");
  const url = URL.parse(text);
  if (url === null || url.protocol === "file:") {
    return decoded(text.replace(/^file:\/*/i, "")) || "unnamed";
  }
  const path = decoded(url.pathname);
  const full = `${url.host}/${path.replace(/^\/+/, "")}${path.endsWith("/") ? "index.html" : ""}${url.search}`;
  return full.replace(/^\/+/, "") || "unnamed";
};

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    // A percent sign that is not an escape.
    return path;
  }
};
