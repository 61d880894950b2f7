import { createRequire } from "node:module";
import { CAD_BYTES_MAX } from "../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats/formats.ts";
import type { Warning } from "../../domain/warning.ts";
import { type Engine, type EngineTask, packageVersion, rowFor } from "../core/engine.ts";
import { readInput } from "../core/input.ts";
import { assetOf, writeGlb } from "./geometry/glb-writer.ts";
import { checkedModel, linear, type Material, type Mesh, type Model, plainMaterial } from "./geometry/model.ts";

/** Reads CAD solids with Open CASCADE as WebAssembly: their surfaces become triangles with face colors. */
export const occtEngine: Engine = {
  name: "occt",
  version: async () => packageVersion("occt-import-js"),
  convert: async (task) => {
    const occt = await load();
    const bytes = await sourceOf(task);
    task.progress(0.1);
    const name = formatOf(task.from).name;
    const { success, meshes = [] } = occt[rowFor(READERS, task.from, "occt")](bytes, PRECISION);
    if (!success) {
      throw new JobError("source_corrupt", `The ${name} could not be read.`);
    }
    if (meshes.length === 0) {
      throw new JobError(
        "unsupported_feature",
        `The ${name} has no faces; files that contain only curves are not supported.`,
      );
    }
    task.progress(0.8);
    await writeGlb(task.output, assetOf(checkedModel(modelOf(meshes), name)));
    return { warnings: [UNITS] };
  },
};

/** A body, as returned by the package; faces are ranges of triangles. */
interface Body {
  readonly name?: string;
  readonly color?: Rgb;
  readonly brep_faces?: readonly { readonly first: number; readonly last: number; readonly color: Rgb | null }[];
  readonly attributes: {
    readonly position: { readonly array: readonly number[] };
    readonly normal?: { readonly array: readonly number[] };
  };
  readonly index: { readonly array: readonly number[] };
}

type Rgb = readonly [number, number, number];
type Read = (bytes: Uint8Array, settings: object) => { success: boolean; meshes?: readonly Body[] };
type Occt = Readonly<Record<"ReadStepFile" | "ReadIgesFile", Read>>;

const READERS: Partial<Record<FormatId, keyof Occt>> = {
  step: "ReadStepFile",
  iges: "ReadIgesFile",
};

/**
 * Maximum deviation of triangles from the surface: a thousandth of the body's size, and half a radian between faces.
 */
const PRECISION = {
  linearUnit: "millimeter",
  linearDeflectionType: "bounding_box_ratio",
  linearDeflection: 0.001,
  angularDeflection: 0.5,
};

const UNITS: Warning = {
  code: "units_assumed",
  detail: "The model is in millimeters. Coordinates are unchanged, although glTF uses meters.",
};

/** Loading takes 200 ms, so it is deferred to the first file, and done once per process. */
let loading: Promise<Occt> | undefined;
const load = (): Promise<Occt> => {
  // On Lambda the package is in a layer, which only `NODE_PATH` locates; this kind of resolver uses it.
  const make: (settings: object) => Promise<Occt> = createRequire(import.meta.url)("occt-import-js");
  loading ??= make({ print: () => {}, printErr: () => {} });
  return loading;
};

const sourceOf = async ({ input, from }: EngineTask): Promise<Uint8Array> => {
  const bytes = await readInput(input, { max: CAD_BYTES_MAX, name: formatOf(from).name });
  if (ENDS[from]?.test(bytes.toString("latin1", Math.max(0, bytes.length - TAIL_BYTES))) === false) {
    throw new JobError("source_corrupt", `Truncated ${formatOf(from).name}: the end marker is missing.`);
  }
  if (bytes.includes(0)) {
    throw new JobError("source_corrupt", `The ${formatOf(from).name} is not a text file: it contains null bytes.`);
  }
  if (from === "step" && depthOf(bytes) > DEPTH_MAX) {
    throw new JobError(
      "source_corrupt",
      `The ${formatOf(from).name} has parentheses nested more than ${DEPTH_MAX} levels deep.`,
    );
  }
  return bytes;
};

/**
 * Lists of lists, as in surfaces, are three levels deep. The reader is recursive, and a stack overflow would crash its
 * process.
 */
const DEPTH_MAX = 100;
const OPEN = 0x28;
const CLOSE = 0x29;

/** @returns the nesting depth of parentheses; those in strings count too, which is harmless in pairs */
const depthOf = (bytes: Uint8Array): number => {
  let [depth, deepest] = [0, 0];
  for (const byte of bytes) {
    depth = Math.max(0, depth + (byte === OPEN ? 1 : byte === CLOSE ? -1 : 0));
    deepest = Math.max(deepest, depth);
  }
  return deepest;
};

const TAIL_BYTES = 2_000;

/** End markers; the reader would otherwise accept the remaining faces of a truncated file. */
const ENDS: Partial<Record<FormatId, RegExp>> = {
  step: /END-ISO-10303-21\s*;/,
  iges: /^S.{71}T[ 0]{6}1\s*$/m,
};

const modelOf = (bodies: readonly Body[]): Model => {
  const materials: Material[] = [];
  const byColor = new Map<string, number>();
  const materialOf = (color: Rgb | null | undefined): number | undefined => {
    if (color === null || color === undefined) {
      return undefined;
    }
    const key = color.join();
    const known = byColor.get(key) ?? materials.length;
    if (known === materials.length) {
      byColor.set(key, known);
      const [red, green, blue] = color.map(linear);
      materials.push(plainMaterial("", [red ?? 1, green ?? 1, blue ?? 1, 1]));
    }
    return known;
  };
  const meshes = bodies.flatMap((body) => meshesOf(body, materialOf));
  return { meshes, materials, pictures: [] };
};

/** @returns a mesh for each color of a body's faces */
const meshesOf = (body: Body, materialOf: (color: Rgb | null | undefined) => number | undefined): Mesh[] => {
  const { name = "", color, brep_faces: faces = [], attributes, index } = body;
  const all = [{ first: 0, last: index.array.length / 3 - 1, color: null }];
  const byMaterial = Map.groupBy(faces.length === 0 ? all : faces, (face) => materialOf(face.color ?? color));
  return [...byMaterial].map(([material, runs]) => {
    const kept = new Map<number, number>();
    const indices = runs.flatMap(({ first, last }) =>
      index.array.slice(first * 3, last * 3 + 3).map((vertex) => {
        kept.set(vertex, kept.get(vertex) ?? kept.size);
        return kept.get(vertex) ?? 0;
      }),
    );
    const gather = (from: readonly number[]): Float32Array =>
      Float32Array.from([...kept.keys()].flatMap((vertex) => from.slice(vertex * 3, vertex * 3 + 3)));
    const normals = attributes.normal && gather(attributes.normal.array);
    return {
      name,
      positions: gather(attributes.position.array),
      normals,
      indices: Uint32Array.from(indices),
      material,
    };
  });
};
