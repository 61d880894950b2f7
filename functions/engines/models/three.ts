import type { Object3D } from "three";
import { MODEL_BYTES_MAX } from "../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats/formats.ts";
import { type Engine, type EngineTask, packageVersion } from "../core/engine.ts";
import { readInput } from "../core/input.ts";
import { assetOf, writeGlb } from "./geometry/glb-writer.ts";
import { checkedModel } from "./geometry/model.ts";
import { modelOf } from "./three/scene.ts";

/**
 * Reads FBX models with three.js. Only its parser runs: textures are neither fetched nor decoded, and animations are
 * omitted.
 */
export const threeEngine: Engine = {
  name: "three",
  version: async () => packageVersion("three"),
  convert: async (task) => {
    const parse = parsers[task.from];
    if (parse === undefined || task.to !== "glb") {
      throw new TypeError(`three does not convert ${task.from} to ${task.to}.`);
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
    return withoutTextures(() => new FBXLoader().parse(bytes, ""));
  },
};

/** The parsers of three.js throw errors of all kinds for unexpected input, and write other messages to the console. */
const parsed = async ({ input, from }: EngineTask, parse: Parse): Promise<Object3D> => {
  const name = formatOf(from).name;
  const bytes = await readInput(input, { max: MODEL_BYTES_MAX, name });
  try {
    return await parse(Uint8Array.from(bytes).buffer);
  } catch (cause) {
    const version = cause instanceof Error && /version not supported/i.test(cause.message);
    throw version
      ? new JobError("unsupported_feature", `This version of ${name} is not supported.`, { cause })
      : new JobError("source_corrupt", `The ${name} could not be read.`, { cause });
  }
};

/**
 * Runs a parser with a texture loader that loads nothing: in a browser it would use the network, and there is no
 * browser here.
 */
const withoutTextures = async (parse: () => Object3D): Promise<Object3D> => {
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
