import { createWriteStream, openAsBlob } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { inputError } from "../http/errors.ts";
import {
  chunksOf,
  isStream,
  namedContent,
  type OpenedInput,
  openWebInput,
  remoteOf,
  type WebInput,
} from "../transfer/input.ts";

/** Opens web inputs, and those of Node: paths, `file:` URLs, and streams that are spooled to a file. */
export const openNodeInput = async (input: WebInput): Promise<OpenedInput> => {
  if (remoteOf(input) === undefined && (typeof input === "string" || input instanceof URL)) {
    return openPath(typeof input === "string" && !input.startsWith("file:") ? input : fileURLToPath(input));
  }
  const { content, name } = namedContent(input);
  return isStream(content) ? spool(content, name) : openWebInput(input);
};

/** The file is read in chunks while it is sent, so it can be larger than memory. */
const openPath = async (path: string): Promise<OpenedInput> => {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isFile()) {
    throw inputError(found === undefined ? `File not found: ${path}` : `${path} is not a file.`);
  }
  return { kind: "bytes", name: basename(path), blob: await openAsBlob(path) };
};

const spool = async (
  content: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  name: string,
): Promise<OpenedInput> => {
  const folder = await mkdtemp(join(tmpdir(), "anyform-"));
  const release = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, "input");
    await pipeline(Readable.from(chunksOf(content)), createWriteStream(path, { mode: 0o600 }));
    return { kind: "bytes", name, blob: await openAsBlob(path), release };
  } catch (error) {
    await release();
    throw error;
  }
};
