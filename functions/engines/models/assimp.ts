import { stat } from "node:fs/promises";
import { join } from "node:path";
import { MODEL_BYTES_MAX } from "../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { formatOf } from "../../domain/formats/formats.ts";
import type { Engine, EngineTask } from "../core/engine.ts";
import { checkInput, inputWithExtension } from "../core/input.ts";
import { runProgram } from "../core/program.ts";
import { assetOf, writeGlb } from "./geometry/glb-writer.ts";
import { checkedModel } from "./geometry/model.ts";
import { readGltf } from "./mesh/gltf-in.ts";

const PROGRAM = "assimp";

/** The program may use the complete time of a conversion. */
const TIMEOUT_MS = 110_000;

/**
 * Models by the Open Asset Import Library (Debian: `assimp-utils`). It makes a GLB, which our code reads and writes again:
 * so its triangles are checked, and every transformation is applied to them.
 */
export const assimpEngine: Engine = {
  name: "assimp",
  version: async () => {
    const { stdout } = await runProgram({ program: PROGRAM, arguments: ["version"], folder: "/", timeoutMs: 10_000 });
    return /Version (\S+)/i.exec(stdout.toString("latin1"))?.[1] ?? "unknown";
  },
  convert: async (task) => {
    const { name } = formatOf(task.from);
    await checkInput(task.input, { max: MODEL_BYTES_MAX, name });
    const input = await imported(task, name);
    task.progress(0.6);
    const { model, warnings } = await readGltf({ ...task, from: "glb", input });
    await writeGlb(task.output, assetOf(checkedModel(model, name)));
    return { warnings };
  },
};

/** @returns the path of the GLB that the program made of the file */
const imported = async (task: EngineTask, name: string): Promise<string> => {
  const { folder } = task;
  const output = join(folder, "imported.glb");
  const { code, stdout, stderr } = await runProgram({
    program: PROGRAM,
    arguments: ["export", await inputWithExtension(task), output, "-fglb2", "-tri"],
    folder,
    timeoutMs: TIMEOUT_MS,
  });
  const { size } = await stat(output).catch(() => ({ size: 0 }));
  if (code !== 0 || size === 0) {
    throw new JobError("source_corrupt", `The ${name} could not be read.`, { cause: `${stdout}${stderr}` });
  }
  return output;
};
