import { MODEL_BYTES_MAX } from "../../domain/conversions/conversion-limits.ts";
import { type FormatId, formatOf } from "../../domain/formats/formats.ts";
import type { Warning } from "../../domain/warning.ts";
import { type Engine, type EngineTask, rowFor } from "../core/engine.ts";
import { checkInput } from "../core/input.ts";
import { assetOf, writeEmbedded, writeGlb } from "./geometry/glb-writer.ts";
import { checkedModel, type Model } from "./geometry/model.ts";
import { externalImagesWarning, readStored, storeGlb, storeGltf } from "./mesh/gltf-asset.ts";
import { type ReadModel, readGltf } from "./mesh/gltf-in.ts";
import { readObj, writeObj } from "./mesh/obj.ts";
import { readPly, writePly } from "./mesh/ply.ts";
import { readStl, writeStl } from "./mesh/stl.ts";
import { read3mf } from "./mesh/threemf-in.ts";
import { write3mf } from "./mesh/threemf-out.ts";
import { writeUsdz } from "./mesh/usdz.ts";

/**
 * Triangle models, read and written by our code, in typed arrays. It needs neither the browser that the loaders and
 * exporters of three.js require for images, which pass through unchanged here, nor an object per vertex.
 */
export const meshEngine: Engine = {
  name: "mesh",
  version: async () => process.version,
  convert: async (task) => {
    await checkInput(task.input, { max: MODEL_BYTES_MAX, name: formatOf(task.from).name });
    if ((task.from === "glb" && task.to === "gltf") || (task.from === "gltf" && task.to === "glb")) {
      // Only the container changes, so animations and everything else are preserved.
      const store = task.to === "glb" ? storeGlb : storeGltf;
      const stored = await readStored(task);
      await store(stored, task.output);
      return { warnings: externalImagesWarning(stored) };
    }
    const [read, write] = [rowFor(readers, task.from, "mesh"), rowFor(writers, task.to, "mesh")];
    const { model, warnings } = await read(task);
    const checked = checkedModel(model, formatOf(task.from).name);
    task.progress(0.5);
    return { warnings: [...warnings, ...(await write(checked, task))] };
  },
};

const readers: Partial<Record<FormatId, (task: EngineTask) => Promise<ReadModel>>> = {
  glb: readGltf,
  gltf: readGltf,
  obj: readObj,
  stl: readStl,
  ply: readPly,
  "3mf": read3mf,
};

type Write<Said> = (model: Model, task: EngineTask) => Promise<Said>;

/** @returns the writer without warnings, for formats whose losses are documented */
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
  "3mf": quiet(write3mf),
  usdz: writeUsdz,
};
