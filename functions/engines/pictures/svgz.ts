import { readFile, stat, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { SVG_BYTES_MAX } from "../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import type { Engine, EngineTask } from "../core/engine.ts";

/** SVG, compressed and decompressed with gzip (SVG 1.1, 1.2). */
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
    throw new JobError(
      "unsupported_feature",
      `The SVG is too large: ${size} bytes; the limit is ${SVG_BYTES_MAX} bytes.`,
    );
  }
  return readFile(input);
};

const unpacked = async (task: EngineTask): Promise<Buffer> => {
  const bytes = await promisify(gunzip)(await readSvg(task), { maxOutputLength: SVG_BYTES_MAX }).catch(
    (cause: unknown) => {
      const large = cause instanceof RangeError;
      throw large
        ? new JobError("archive_unsafe", `The decompressed SVG exceeds ${SVG_BYTES_MAX} bytes.`, { cause })
        : new JobError("source_corrupt", "The compressed SVG is damaged or incomplete.", { cause });
    },
  );
  if (!/<(?:[\w.-]+:)?svg[\s/>]/.test(bytes.toString("latin1"))) {
    throw new JobError("source_mismatch", "The compressed file is not an SVG.");
  }
  return bytes;
};
