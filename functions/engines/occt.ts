import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { CAD_BYTES_MAX } from "../domain/conversion-limits.ts";
import { JobError } from "../domain/errors.ts";
import { type FormatId, formatOf } from "../domain/formats.ts";
import type { Warning } from "../domain/jobs.ts";
import type { Engine, EngineTask } from "./engine.ts";
import { assetOf, writeGlb } from "./io/glb-writer.ts";
import { checkedModel, linear, type Material, type Mesh, type Model, plainMaterial } from "./io/model.ts";

/** Bodies of CAD programs by Open CASCADE as WebAssembly: their surfaces become triangles, with the colours of faces. */
export const occtEngine: Engine = {
  name: "occt",
  version: async () => {
    const { version }: { version: string } = createRequire(import.meta.url)("occt-import-js/package.json");
    return version;
  },
  convert: async (task) => {
    const occt = await load();
    const bytes = await sourceOf(task);
    task.progress(0.1);
    const name = formatOf(task.from).name;
    const { success, meshes = [] } = occt[readerOf(task.from)](bytes, PRECISION);
    if (!success) {
      throw new JobError("source_corrupt", `The ${name} could not be read.`);
    }
    if (meshes.length === 0) {
      throw new JobError("unsupported_feature", `The ${name} has no faces; curves alone are not converted.`);
    }
    task.progress(0.8);
    await writeGlb(task.output, assetOf(checkedModel(modelOf(meshes), name)));
    return { warnings: [UNITS] };
  },
};

/** What the package gives of a body; faces are runs of triangles. */
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

const readerOf = (from: FormatId): keyof Occt => {
  const reader = READERS[from];
  if (reader === undefined) {
    throw new TypeError(`occt does not read ${from}.`);
  }
  return reader;
};

/** How far triangles may be from the surface: a thousandth of the body's size, and half a radian from face to face. */
const PRECISION = {
  linearUnit: "millimeter",
  linearDeflectionType: "bounding_box_ratio",
  linearDeflection: 0.001,
  angularDeflection: 0.5,
};

const UNITS: Warning = {
  code: "units_assumed",
  detail: "The model is in millimetres. Its numbers are kept, though glTF counts in metres.",
};

/** Loading takes 200 ms, so it waits for the first file, and a process does it once. */
let loading: Promise<Occt> | undefined;
const load = (): Promise<Occt> => {
  // On Lambda the package lies in a layer, which only `NODE_PATH` tells; a resolver of this kind follows it.
  const make: (settings: object) => Promise<Occt> = createRequire(import.meta.url)("occt-import-js");
  loading ??= make({ print: () => {}, printErr: () => {} });
  return loading;
};

const sourceOf = async ({ input, from }: EngineTask): Promise<Uint8Array> => {
  const { size } = await stat(input);
  if (size > CAD_BYTES_MAX) {
    throw new JobError(
      "output_too_large",
      `The ${formatOf(from).name} has ${size} bytes; at most ${CAD_BYTES_MAX} are allowed.`,
    );
  }
  const bytes = await readFile(input);
  if (ENDS[from]?.test(bytes.toString("latin1", Math.max(0, size - TAIL_BYTES))) === false) {
    throw new JobError("source_corrupt", `The ${formatOf(from).name} breaks off before its end.`);
  }
  if (bytes.includes(0)) {
    throw new JobError("source_corrupt", `The ${formatOf(from).name} is no text: it has zeros in it.`);
  }
  if (from === "step" && depthOf(bytes) > DEPTH_MAX) {
    throw new JobError(
      "source_corrupt",
      `The ${formatOf(from).name} has brackets within more than ${DEPTH_MAX} others.`,
    );
  }
  return bytes;
};

/** Lists of lists, as surfaces have them, lie three deep; the reader goes down by recursion, and falls with its process. */
const DEPTH_MAX = 100;
const OPEN = 0x28;
const CLOSE = 0x29;

/** @returns how many brackets stand around the innermost value; those in texts count too, which do no harm in pairs */
const depthOf = (bytes: Uint8Array): number => {
  let [depth, deepest] = [0, 0];
  for (const byte of bytes) {
    depth = Math.max(0, depth + (byte === OPEN ? 1 : byte === CLOSE ? -1 : 0));
    deepest = Math.max(deepest, depth);
  }
  return deepest;
};

const TAIL_BYTES = 2_000;

/** How the files end; of one that breaks off, the reader takes the faces that are left. */
const ENDS: Partial<Record<FormatId, RegExp>> = {
  step: /END-ISO-10303-21\s*;/,
  iges: /^S.{71}T[ 0]{6}1\s*$/m,
};

const modelOf = (bodies: readonly Body[]): Model => {
  const materials: Material[] = [];
  const byColour = new Map<string, number>();
  const materialOf = (colour: Rgb | null | undefined): number | undefined => {
    if (colour === null || colour === undefined) {
      return undefined;
    }
    const key = colour.join();
    const known = byColour.get(key) ?? materials.length;
    if (known === materials.length) {
      byColour.set(key, known);
      const [red, green, blue] = colour.map(linear);
      materials.push(plainMaterial("", [red ?? 1, green ?? 1, blue ?? 1, 1]));
    }
    return known;
  };
  const meshes = bodies.flatMap((body) => meshesOf(body, materialOf));
  return { meshes, materials, pictures: [] };
};

/** @returns a mesh for each colour of a body's faces */
const meshesOf = (body: Body, materialOf: (colour: Rgb | null | undefined) => number | undefined): Mesh[] => {
  const { name = "", color, brep_faces: faces = [], attributes, index } = body;
  const all = [{ first: 0, last: index.array.length / 3 - 1, color: null }];
  const byMaterial = Map.groupBy(faces.length === 0 ? all : faces, (face) => materialOf(face.color ?? color));
  return [...byMaterial].map(([material, runs]) => {
    const kept = new Map<number, number>();
    const indices = runs.flatMap(({ first, last }) =>
      index.array.slice(first * 3, last * 3 + 3).map((corner) => {
        kept.set(corner, kept.get(corner) ?? kept.size);
        return kept.get(corner) ?? 0;
      }),
    );
    const gather = (from: readonly number[]): Float32Array =>
      Float32Array.from([...kept.keys()].flatMap((corner) => from.slice(corner * 3, corner * 3 + 3)));
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
