import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { JobError } from "../../../domain/errors.ts";
import { headReader } from "./head-reader.ts";
import { through } from "./through.ts";

const CODINGS = { gzip: createGunzip, "x-gzip": createGunzip, deflate: createInflate, br: createBrotliDecompress };

/**
 * Returns the body of an HTTP response without its transfer and content codings (RFC 9112, 7.1; RFC 9110, 8.4). Many
 * crawlers store decoded bodies with the original header, so bytes without the signature of a coding stay as they are.
 *
 * @throws JobError `source_corrupt`
 */
export const bodyBytes = async function* (
  bytes: AsyncIterable<Buffer>,
  fields: ReadonlyMap<string, string>,
): AsyncGenerator<Buffer> {
  const [first, all] = await peeked(bytes);
  const isChunked =
    /\bchunked$/i.test(fields.get("transfer-encoding") ?? "") && /^[0-9a-f]{1,8}[ \t]*(?:;[^\n]*)?\r\n/i.test(first);
  const [start, body] = await peeked(isChunked ? chunksOf(all) : all);
  const coding = (fields.get("content-encoding") ?? "").toLowerCase();
  const decode = isCoded(coding, start) ? CODINGS[coding] : undefined;
  if (decode === undefined) {
    yield* body;
    return;
  }
  try {
    yield* through(body, decode());
  } catch (error) {
    throw new JobError("source_corrupt", "A compressed page in the web archive is damaged.", { cause: error });
  }
};

const isCoded = (coding: string, start: string): coding is keyof typeof CODINGS =>
  Object.hasOwn(CODINGS, coding) &&
  start !== "" &&
  (coding === "br" || start.startsWith(coding === "deflate" ? "x" : "\u001f\u008b"));

/** @returns the first bytes as Latin-1 text, and all bytes */
const peeked = async (bytes: AsyncIterable<Buffer>): Promise<[string, AsyncGenerator<Buffer>]> => {
  const chunks = bytes[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  let isDone = false;
  while (held.length < PEEKED_BYTES && !isDone) {
    const next = await chunks.next();
    isDone = next.done === true;
    held = next.done === true ? held : Buffer.concat([held, next.value]);
  }
  const all = async function* (): AsyncGenerator<Buffer> {
    yield held;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  return [held.toString("latin1", 0, PEEKED_BYTES), all()];
};

const PEEKED_BYTES = 256;

const chunksOf = async function* (bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = headReader(bytes);
  for (let line = await reader.line(); line !== undefined; line = await reader.line()) {
    const size = Number.parseInt(line, 16);
    if (!(size > 0)) {
      return;
    }
    yield* reader.block(size);
    // The line end after the chunk.
    await reader.line();
  }
};
