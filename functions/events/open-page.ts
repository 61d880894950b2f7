import { createWriteStream, openAsBlob } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { readConfig } from "../config.ts";
import { conversionLimits } from "../domain/conversions/lanes.ts";
import { JobError } from "../domain/errors.ts";
import { HelperNeeded } from "../engines/core/engine.ts";
import { failureMessage } from "../engines/core/failure-message.ts";
import type { ConverterMessage } from "../engines/core/messages.ts";
import { type ConverterPool, converterPool } from "../engines/core/run.ts";
import type { ConversionTask } from "../engines/core/task.ts";
import type { PageRequest } from "./page-request.ts";
import { withWebAccess } from "./web-access.ts";

/**
 * Opens one web page, or runs the scripts of one file, in a machine that nothing else uses.
 *
 * @throws when the files cannot be fetched or the result cannot be stored; the caller tries again
 */
export const openPage =
  (pool: Pick<ConverterPool, "run">, importAllowed: readonly string[]) =>
  async ({ job, task, resultUrl, timeoutMs }: PageRequest): Promise<ConverterMessage> => {
    const folder = await mkdtemp(join(tmpdir(), "page-"));
    try {
      const limits = { ...conversionLimits(job.lane), timeoutMs };
      const files = await fetchFiles(task, folder);
      const { output, ...result } = await withWebAccess({ importAllowed }, job, { ...files, folder }, (fenced) =>
        pool.run(fenced, limits),
      );
      await send(output, resultUrl);
      return { result: { ...result, output: "" } };
    } catch (error) {
      if (error instanceof JobError || error instanceof HelperNeeded) {
        return failureMessage(error);
      }
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

/** Milliseconds to fetch or send one file. */
const TRANSFER_MS_MAX = 60_000;

/** @returns the task with the paths of its files */
const fetchFiles = async (
  { input, further = [], optionFiles = [], ...task }: PageRequest["task"],
  folder: string,
): Promise<Omit<ConversionTask, "folder">> => {
  let count = 0;
  const fetchOne = async (url: string): Promise<string> => {
    count += 1;
    const path = join(folder, `input-${count}`);
    const { ok, status, body } = await fetch(url, { signal: AbortSignal.timeout(TRANSFER_MS_MAX) });
    if (!ok || body === null) {
      throw new Error(`The file could not be fetched: status ${status}.`);
    }
    await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(path));
    return path;
  };
  const fetchEach = async <File extends { readonly path: string }>(files: readonly File[]): Promise<File[]> => {
    const fetched: File[] = [];
    for (const file of files) {
      fetched.push({ ...file, path: await fetchOne(file.path) });
    }
    return fetched;
  };
  return {
    ...task,
    input: await fetchOne(input),
    further: await fetchEach(further),
    optionFiles: await fetchEach(optionFiles),
  };
};

const send = async (path: string, url: string): Promise<void> => {
  const signal = AbortSignal.timeout(TRANSFER_MS_MAX);
  const { ok, status } = await fetch(url, { method: "PUT", body: await openAsBlob(path), signal });
  if (!ok) {
    throw new Error(`The result could not be stored: status ${status}.`);
  }
};

/** Converter processes need the source: this function is deployed with the image only. */
const ENTRY = join(import.meta.dirname, "../engines/core/converter.ts");

let open: ReturnType<typeof openPage> | undefined;

export const handler = (request: PageRequest): Promise<ConverterMessage> => {
  open ??= openPage(converterPool({ size: 1, entry: ENTRY, isMachineExpendable: true }), readConfig().importAllowed);
  return open(request);
};
