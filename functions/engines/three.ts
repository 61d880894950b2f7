import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Object3D } from "three";
import { MODEL_BYTES_MAX } from "../domain/conversion-limits.ts";
import { JobError } from "../domain/errors.ts";
import { type FormatId, formatOf } from "../domain/formats.ts";
import type { Engine, EngineTask } from "./engine.ts";
import { assetOf, writeGlb } from "./io/glb-writer.ts";
import { checkedModel } from "./io/model.ts";
import { modelOf } from "./three/scene.ts";

/**
 * Models that three.js reads: FBX. Of its parts only the parser runs; pictures are neither fetched nor decoded,
 * and movements are left out.
 */
export const threeEngine: Engine = {
  name: "three",
  version: async () => {
    const { version }: { version: string } = createRequire(import.meta.url)("three/package.json");
    return version;
  },
  convert: async (task) => {
    const parse = parsers[task.from];
    if (parse === undefined || task.to !== "glb") {
      throw new TypeError(`three does not turn ${task.from} into ${task.to}.`);
    }
    const scene = await parsed(task, parse);
    task.progress(0.6);
    scene.updateMatrixWorld(true);
    const { model, warnings } = modelOf(scene);
    await writeGlb(task.output, assetOf(checkedModel(model, formatOf(task.from).name)));
    return { warnings };
  },
};

type Parse = (bytes: ArrayBuffer) => Promise<Object3D>;

const parsers: Partial<Record<FormatId, Parse>> = {
  fbx: async (bytes) => {
    const { FBXLoader } = await import("three/examples/jsm/loaders/FBXLoader.js");
    return withoutPictures(() => new FBXLoader().parse(bytes, ""));
  },
};

/** Its parsers throw errors of all kinds at what they do not understand, and tell the console of the rest. */
const parsed = async ({ input, from }: EngineTask, parse: Parse): Promise<Object3D> => {
  const name = formatOf(from).name;
  const { size } = await stat(input);
  if (size > MODEL_BYTES_MAX) {
    throw new JobError("output_too_large", `The ${name} has ${size} bytes; at most ${MODEL_BYTES_MAX} are allowed.`);
  }
  const bytes = await readFile(input);
  try {
    return await parse(Uint8Array.from(bytes).buffer);
  } catch (cause) {
    const version = cause instanceof Error && /version not supported/i.test(cause.message);
    throw version
      ? new JobError("unsupported_feature", `The ${name} is of a version that is not supported.`, { cause })
      : new JobError("source_corrupt", `The ${name} could not be read.`, { cause });
  }
};

/** Runs a parser with a loader of pictures that loads none: a page's would ask the network, and there is no page. */
const withoutPictures = async (parse: () => Object3D): Promise<Object3D> => {
  const { Texture, TextureLoader } = await import("three");
  const { load } = TextureLoader.prototype;
  const console_ = { warn: console.warn, error: console.error };
  TextureLoader.prototype.load = () => new Texture();
  Object.assign(console, { warn: () => {}, error: () => {} });
  Object.assign(globalThis, { window: { URL: { createObjectURL: () => "" } } });
  try {
    return parse();
  } finally {
    TextureLoader.prototype.load = load;
    Object.assign(console, console_);
    Reflect.deleteProperty(globalThis, "window");
  }
};
