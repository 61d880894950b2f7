import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { posix } from "node:path";
import { detectFormat } from "../../../domain/formats/detect.ts";
import { extensionOf } from "../../../domain/formats/formats.ts";
import { DETECTION_BYTES } from "../../../domain/limits.ts";
import type { RawEntry } from "./entry.ts";
import { namesDecoder } from "./legacy-names.ts";

/**
 * @param file content of the compressed file, on disk
 * @param header name and time from the header of the compressed file
 * @param sentAs the client's name of the compressed file
 * @returns its only entry, with the name of the header, else that of the compressed file without its last extension, else
 * one after the detected format
 */
export const singleEntry = async function* (
  file: string,
  { name, modified }: { name?: string | undefined; modified: Date },
  sentAs = "",
): AsyncGenerator<RawEntry> {
  const handle = await open(file);
  const { size } = await handle.stat();
  const head = Buffer.alloc(DETECTION_BYTES);
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  await handle.close();
  const format = detectFormat(head.subarray(0, bytesRead));
  const stem = safeName(sentAs.replace(/\.[a-z0-9]{1,5}$/i, "")) || "file";
  const extension = format === undefined || /\.[a-z0-9]{1,9}$/i.test(stem) ? "" : `.${extensionOf(format)}`;
  const path = name || stem + extension;
  yield { path, kind: "file", modified, mode: 0, bytes: size, file, content: () => createReadStream(file) };
};

const HEADER_BYTES_MAX = 4_096;
const EXTRA = 4;
const NAME = 8;

/** @returns name and time from the header of a gzip file (RFC 1952, 2.3); the time is 0 when it has none */
export const gzipHeader = async (input: string): Promise<{ name?: string; modified: Date }> => {
  const handle = await open(input);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES_MAX), 0, HEADER_BYTES_MAX, 0);
  await handle.close();
  const header = buffer.subarray(0, bytesRead);
  if (header.length < 12) {
    return { modified: new Date(0) };
  }
  const flags = header[3] ?? 0;
  const start = 10 + ((flags & EXTRA) === 0 ? 0 : 2 + header.readUInt16LE(10));
  const end = header.indexOf(0, start);
  const bytes = (flags & NAME) === 0 || end === -1 ? Buffer.alloc(0) : header.subarray(start, end);
  const name = safeName(namesDecoder([bytes])(bytes));
  return { modified: new Date(1_000 * header.readUInt32LE(4)), ...(name !== "" && { name }) };
};

/** @returns the last part of a path; empty if it is not a file name */
const safeName = (path: string): string => {
  const name = posix.basename(path.replaceAll("\\", "/"));
  return name === ".." || name === "." ? "" : name;
};
