import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Engine, EngineTask } from "../core/engine.ts";
import { type Budget, budgetOf, counted } from "./archive/budget.ts";
import { type Guarded, guarded } from "./archive/guard.ts";
import { packedFiles } from "./archive/packed-files.ts";
import { gzipHeader, singleEntry } from "./archive/single.ts";
import { archiveSources, isStreamed, unpackedBytes } from "./archive/sources.ts";
import { archiveTargets, LINKING, writePacked } from "./archive/targets.ts";

/**
 * Archives that Node reads and writes as streams: zip, tar, and tars and single files compressed with gzip, Zstandard,
 * Brotli or LZ4. Only the result is written to disk. The exception is zips that are encrypted or use a rare method: 7-Zip
 * unpacks these.
 */
export const archiveEngine: Engine = {
  name: "archive",
  version: async () => process.version,
  convert: async (task) => {
    const budget = await budgetOf(task.input);
    const { from, to } = task;
    if (isStreamed(from) && isStreamed(to)) {
      const { output, options } = task;
      await writePacked(counted(unpackedBytes(task, from), budget), { output, format: to, level: options.level });
      return { warnings: [] };
    }
    const { entries, warnings } = task.packAs === undefined ? await opened(task, budget) : packed(task);
    const write = archiveTargets[to];
    if (write === undefined) {
      throw new TypeError(`archive does not write ${to}.`);
    }
    await write({ output: task.output, entries, level: task.options.level });
    return { warnings: warnings() };
  },
};

const packed = ({ input, packAs, further, progress }: EngineTask): Guarded =>
  packedFiles([{ path: input, ...(packAs !== undefined && { name: packAs }) }, ...further], progress);

const opened = async (task: EngineTask, budget: Budget): Promise<Guarded> => {
  const { input, from, to, folder } = task;
  const keepsLinks = LINKING.has(to);
  const source = archiveSources[from];
  if (source !== undefined) {
    return guarded(source(task), { budget, keepsLinks });
  }
  if (!isStreamed(from)) {
    throw new TypeError(`archive does not read ${from}.`);
  }
  // A zip member's header contains its size, which these formats do not know in advance.
  const file = join(folder, "unpacked");
  await pipeline(counted(unpackedBytes(task, from), budget), createWriteStream(file));
  const header = from === "gz" ? await gzipHeader(input) : { modified: new Date(0) };
  return guarded(singleEntry(file, header, task.name), { budget: await budgetOf(file), keepsLinks });
};
