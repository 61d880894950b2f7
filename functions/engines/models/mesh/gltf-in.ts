import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import {
  checkMeshes,
  checkParts,
  checkSize,
  type Material,
  type Mesh,
  type Model,
  type Picture,
  WHITE,
} from "../geometry/model.ts";
import { indicesOf, valuesOf } from "./gltf-accessor.ts";
import { dataOf, externalImagesWarning, type Gltf, readStored, type Stored } from "./gltf-asset.ts";
import { IDENTITY, type Matrix, matrixOf, movedMesh, multiplied } from "./matrix.ts";

/** A model, and what was lost while reading it. */
export interface ReadModel {
  readonly model: Model;
  readonly warnings: readonly Warning[];
}

/**
 * Reads the scene of a glTF or GLB as triangles: transformations are applied, skinned meshes keep their bind pose.
 *
 * @throws JobError as `readStored` does; `unsupported_feature` when the meshes are compressed
 */
export const readGltf = async (task: EngineTask): Promise<ReadModel> => {
  const stored = await readStored(task);
  const { json } = stored;
  const foreign = json.extensionsRequired?.find((name) => !UNDERSTOOD.test(name));
  if (foreign !== undefined) {
    throw new JobError(
      "unsupported_feature",
      `The model requires the glTF extension ${foreign.slice(0, 60)}, which is not supported.`,
    );
  }
  const lost = new Map<string, string>();
  const meshes = placedMeshes(stored, lost);
  const model = { meshes, materials: (json.materials ?? []).map(materialOf(json)), pictures: picturesOf(stored, lost) };
  if ((json.animations?.length ?? 0) > 0) {
    lost.set("animation_dropped", "Animations were removed; the model is static.");
  }
  return {
    model,
    warnings: [...externalImagesWarning(stored), ...[...lost].map(([code, detail]) => ({ code, detail }))],
  };
};

/** Extensions that affect only materials, and quantization, which accessors support anyway. */
const UNDERSTOOD =
  /^(?:KHR_mesh_quantization|KHR_materials_\w+|KHR_texture_transform|KHR_lights_punctual|EXT_texture_webp)$/;

const DEPTH_MAX = 200;

const placedMeshes = (stored: Stored, lost: Map<string, string>): Mesh[] => {
  const { nodes = [], scenes = [], scene = 0 } = stored.json;
  const meshes: Mesh[] = [];
  let [placed, triangles, vertices] = [0, 0, 0];
  const place = (index: number, parent: Matrix, depth: number): void => {
    const node = nodes[index];
    placed += 1;
    checkParts(placed);
    if (node === undefined || depth > DEPTH_MAX) {
      throw new JobError("source_corrupt", "The node hierarchy of the model is not a tree.");
    }
    const matrix = multiplied(parent, matrixOf(node));
    if (node.mesh !== undefined) {
      const skinned = node.skin !== undefined;
      for (const mesh of primitivesOf(stored, node.mesh, lost)) {
        triangles += mesh.indices.length / 3;
        vertices += mesh.positions.length / 3;
        checkSize(triangles, vertices);
        // The transformation of a skinned node is ignored (glTF 2.0, section 3.7.3.3).
        checkMeshes(meshes.length + 1);
        meshes.push(movedMesh({ ...mesh, name: node.name ?? mesh.name }, skinned ? IDENTITY : matrix));
      }
    }
    for (const child of node.children ?? []) {
      place(child, matrix, depth + 1);
    }
  };
  const children = new Set(nodes.flatMap((node) => node.children ?? []));
  const roots = scenes[scene]?.nodes ?? [...nodes.keys()].filter((index) => !children.has(index));
  for (const root of roots) {
    place(root, IDENTITY, 0);
  }
  return meshes;
};

const TRIANGLES = 4;
const STRIP = 5;
const FAN = 6;

/** Yields the primitives one by one, so that limits are checked before there are too many. */
const primitivesOf = function* (stored: Stored, index: number, lost: Map<string, string>): Generator<Mesh> {
  const mesh = stored.json.meshes?.[index];
  for (const primitive of mesh?.primitives ?? []) {
    const { attributes, indices, material, mode = TRIANGLES, targets, extensions } = primitive;
    const compressed = Object.keys(extensions ?? {}).find((name) => /draco|meshopt/.test(name));
    if (compressed !== undefined) {
      throw new JobError("unsupported_feature", `The model is compressed with ${compressed}, which is not supported.`);
    }
    if (mode < TRIANGLES || attributes.POSITION === undefined) {
      lost.set("lines_dropped", "Points and lines were removed; only faces are converted.");
      continue;
    }
    if (targets !== undefined) {
      lost.set("animation_dropped", "Animations were removed; the model is static.");
    }
    const read = (name: string, size: 2 | 3 | 4) =>
      attributes[name] === undefined ? undefined : valuesOf(stored, attributes[name], size);
    const positions = read("POSITION", 3) ?? new Float32Array();
    const order =
      indices === undefined
        ? Uint32Array.from({ length: positions.length / 3 }, (_, at) => at)
        : indicesOf(stored, indices);
    yield {
      name: mesh?.name ?? "",
      positions,
      indices: trianglesOf(order, mode),
      normals: read("NORMAL", 3),
      uvs: read("TEXCOORD_0", 2),
      colors: read("COLOR_0", 4),
      material,
    };
  }
};

const trianglesOf = (order: Uint32Array, mode: number): Uint32Array => {
  if (mode === TRIANGLES) {
    return order.subarray(0, order.length - (order.length % 3));
  }
  const at = (index: number): number => order[index] ?? 0;
  return Uint32Array.from(
    Array.from({ length: Math.max(0, order.length - 2) }, (_, index) => {
      if (mode === FAN) {
        return [at(0), at(index + 1), at(index + 2)];
      }
      return mode === STRIP && index % 2 === 1
        ? [at(index + 1), at(index), at(index + 2)]
        : [at(index), at(index + 1), at(index + 2)];
    }).flat(),
  );
};

type SourceMaterial = NonNullable<Gltf["materials"]>[number];

const materialOf =
  (json: Gltf) =>
  (source: SourceMaterial): Material => {
    const {
      name = "",
      doubleSided = false,
      alphaMode = "OPAQUE",
      pbrMetallicRoughness: metal = {},
      extensions,
    } = source;
    const gloss = extensions?.KHR_materials_pbrSpecularGlossiness;
    const color = gloss?.diffuseFactor ?? metal.baseColorFactor ?? WHITE;
    const [red = 1, green = 1, blue = 1, alpha = 1] = color;
    const texture = json.textures?.[(gloss?.diffuseTexture ?? metal.baseColorTexture)?.index ?? -1];
    return {
      name,
      color: [red, green, blue, alphaMode === "BLEND" ? alpha : 1],
      metallic: gloss === undefined ? (metal.metallicFactor ?? 1) : 0,
      roughness: metal.roughnessFactor ?? 1,
      doubleSided,
      picture: texture?.source ?? texture?.extensions?.EXT_texture_webp?.source,
    };
  };

const picturesOf = ({ json, buffers }: Stored, lost: Map<string, string>): Picture[] =>
  (json.images ?? []).map(({ uri, bufferView, mimeType }) => {
    const view = json.bufferViews?.[bufferView ?? -1];
    const start = view?.byteOffset ?? 0;
    const stored = view && buffers[view.buffer]?.subarray(start, start + view.byteLength);
    const data = uri === undefined ? { bytes: stored ?? new Uint8Array(), mediaType: mimeType ?? "" } : dataOf(uri);
    if (data.bytes.length === 0) {
      lost.set("textures_dropped", "A texture image is missing from the file.");
    }
    return { bytes: data.bytes, mediaType: mimeType ?? data.mediaType };
  });
