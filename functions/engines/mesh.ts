import { stat } from "node:fs/promises";
import { MODEL_BYTES_MAX } from "../domain/conversion-limits.ts";
import { JobError } from "../domain/errors.ts";
import { type FormatId, formatOf } from "../domain/formats.ts";
import type { Warning } from "../domain/jobs.ts";
import type { Engine, EngineTask } from "./engine.ts";
import { assetOf, writeEmbedded, writeGlb } from "./io/glb-writer.ts";
import { checkedModel, type Model } from "./io/model.ts";
import { elsewhereWarning, readStored, storeGlb, storeGltf } from "./mesh/gltf-asset.ts";
import { type ReadModel, readGltf } from "./mesh/gltf-in.ts";
import { readObj, writeObj } from "./mesh/obj.ts";
import { readOff, writeOff } from "./mesh/off.ts";
import { readPly, writePly } from "./mesh/ply.ts";
import { readStl, writeStl } from "./mesh/stl.ts";
import { readTds } from "./mesh/tds.ts";
import { read3mf } from "./mesh/threemf-in.ts";
import { write3mf } from "./mesh/threemf-out.ts";
import { writeUsdz } from "./mesh/usdz.ts";

/**
 * Models of triangles, read and written by our own code, in arrays of numbers: it needs neither the page that three's
 * loaders and exporters want for pictures, which pass through as they are, nor an object for each corner.
 */
export const meshEngine: Engine = {
  name: "mesh",
  version: async () => process.version,
  convert: async (task) => {
    await checkBytes(task);
    if ((task.from === "glb" && task.to === "gltf") || (task.from === "gltf" && task.to === "glb")) {
      // Only the container changes, so movements and all else stay.
      const store = task.to === "glb" ? storeGlb : storeGltf;
      const stored = await readStored(task);
      await store(stored, task.output);
      return { warnings: elsewhereWarning(stored) };
    }
    const read = readers[task.from];
    const write = writers[task.to];
    if (read === undefined || write === undefined) {
      throw new TypeError(`mesh does not turn ${task.from} into ${task.to}.`);
    }
    const { model, warnings } = await read(task);
    const checked = checkedModel(model, formatOf(task.from).name);
    task.progress(0.5);
    return { warnings: [...warnings, ...(await write(checked, task))] };
  },
};

const checkBytes = async ({ input, from }: EngineTask): Promise<void> => {
  const { size } = await stat(input);
  if (size > MODEL_BYTES_MAX) {
    throw new JobError(
      "output_too_large",
      `The ${formatOf(from).name} has ${size} bytes; at most ${MODEL_BYTES_MAX} are allowed.`,
    );
  }
};

const readers: Partial<Record<FormatId, (task: EngineTask) => Promise<ReadModel>>> = {
  glb: readGltf,
  gltf: readGltf,
  obj: readObj,
  stl: readStl,
  ply: readPly,
  off: readOff,
  "3ds": readTds,
  "3mf": read3mf,
};

type Write<Said> = (model: Model, task: EngineTask) => Promise<Said>;

/** @returns the same writer, for one that loses nothing but what its format cannot carry */
const quiet =
  (write: Write<void>): Write<readonly Warning[]> =>
  async (model, task) => {
    await write(model, task);
    return [];
  };

const writers: Partial<Record<FormatId, Write<readonly Warning[]>>> = {
  glb: quiet((model, { output }) => writeGlb(output, assetOf(model))),
  gltf: quiet((model, { output }) => writeEmbedded(output, assetOf(model))),
  obj: quiet(writeObj),
  stl: quiet(writeStl),
  ply: quiet(writePly),
  off: quiet(writeOff),
  "3mf": quiet(write3mf),
  usdz: writeUsdz,
};
