import { readFile, stat, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { SVG_BYTES_MAX } from "../domain/conversion-limits.ts";
import { JobError } from "../domain/errors.ts";
import type { Engine, EngineTask } from "./engine.ts";

/** SVG, packed and unpacked by gzip (SVG 1.1, 1.2). */
export const svgzEngine: Engine = {
  name: "svgz",
  version: async () => process.versions.zlib,
  convert: async (task) => {
    const bytes = task.to === "svg" ? await unpacked(task) : await promisify(gzip)(await readSvg(task));
    await writeFile(task.output, bytes);
    return { warnings: [] };
  },
};

const readSvg = async ({ input }: EngineTask): Promise<Buffer> => {
  const { size } = await stat(input);
  if (size > SVG_BYTES_MAX) {
    throw new JobError("unsupported_feature", `The SVG has ${size} bytes; at most ${SVG_BYTES_MAX} are allowed.`);
  }
  return readFile(input);
};

const unpacked = async (task: EngineTask): Promise<Buffer> => {
  const bytes = await promisify(gunzip)(await readSvg(task), { maxOutputLength: SVG_BYTES_MAX }).catch(
    (cause: unknown) => {
      const large = cause instanceof RangeError;
      throw large
        ? new JobError("archive_unsafe", `The SVG unpacks to over ${SVG_BYTES_MAX} bytes.`, { cause })
        : new JobError("source_corrupt", "The compressed SVG is damaged or incomplete.", { cause });
    },
  );
  if (!/<(?:[\w.-]+:)?svg[\s/>]/.test(bytes.toString("latin1"))) {
    throw new JobError("source_mismatch", "What the file holds is no SVG.");
  }
  return bytes;
};
