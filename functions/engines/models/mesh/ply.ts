import { open, readFile } from "node:fs/promises";
import { JobError } from "../../../domain/errors.ts";
import type { EngineTask } from "../../core/engine.ts";
import { integers } from "../geometry/mesh-builder.ts";
import { byteOf, checkSize, linear, type Model, trianglesOf } from "../geometry/model.ts";
import { triangulate } from "../geometry/polygon.ts";
import { vertexColorsOf } from "./colors.ts";
import type { ReadModel } from "./gltf-in.ts";
import { type PlyElement, plyHeaderOf, rowsOf } from "./ply-header.ts";

/**
 * Reads a PLY, binary or text: vertices with normals, colors and texture coordinates, and faces.
 *
 * @throws JobError `source_corrupt`; `unsupported_feature` when it has no faces (a point cloud)
 */
export const readPly = async ({ input }: EngineTask): Promise<ReadModel> => {
  const bytes = await readFile(input);
  const header = plyHeaderOf(bytes);
  const sizes = Object.fromEntries(header.elements.map(({ name, count }) => [name, count]));
  if ((sizes.face ?? 0) === 0) {
    throw new JobError("unsupported_feature", "The PLY has no faces; point clouds are not supported.");
  }
  checkSize(sizes.face ?? 0, sizes.vertex ?? 0);
  const columns = columnsOf(header.elements.find(({ name }) => name === "vertex"));
  const indices = integers();
  for (const { element, row, values, list } of rowsOf(bytes, header)) {
    if (element === "vertex") {
      columns.put(row, values);
    } else if (element === "face" && list.length >= 3) {
      for (const index of triangulate(list, { at: (index) => columns.positions[index] ?? 0 })) {
        indices.push(index);
      }
    }
  }
  const { positions, normals, uvs, colors } = columns;
  const mesh = { name: "", positions, normals, uvs, colors, indices: indices.taken() };
  return { model: { meshes: [mesh], materials: [], pictures: [] }, warnings: [] };
};

const NAMES = {
  positions: [["x"], ["y"], ["z"]],
  normals: [["nx"], ["ny"], ["nz"]],
  uvs: [
    ["s", "u", "texture_u"],
    ["t", "v", "texture_v"],
  ],
  colors: [
    ["red", "r", "diffuse_red"],
    ["green", "g", "diffuse_green"],
    ["blue", "b", "diffuse_blue"],
    ["alpha", "a"],
  ],
} as const;

/** @returns arrays for the vertex properties, and a function that stores a row of values in them */
const columnsOf = (element: PlyElement | undefined) => {
  const { count = 0, properties = [] } = element ?? {};
  const columnIndices = (names: readonly (readonly string[])[]) =>
    names.map((some) => properties.findIndex(({ name, countType }) => countType === undefined && some.includes(name)));
  const array = (wanted: readonly number[]) => new Float32Array(count * wanted.length);
  const [position, normal, uv, color] = [NAMES.positions, NAMES.normals, NAMES.uvs, NAMES.colors].map(columnIndices);
  if (position === undefined || position.includes(-1)) {
    throw new JobError("source_corrupt", "The PLY vertices have no coordinates.");
  }
  const has = (wanted: readonly number[] = [], needed = wanted.length) => !wanted.slice(0, needed).includes(-1);
  const positions = array(position);
  const normals = has(normal) ? array(normal ?? []) : undefined;
  const uvs = has(uv) ? array(uv ?? []) : undefined;
  const colors = has(color, 3) ? array(color ?? []).fill(1) : undefined;
  const bytes = properties[color?.[0] ?? -1]?.type.startsWith("float") ? 1 : 255;
  const put = (row: number, values: readonly number[]): void => {
    const take = (
      into: Float32Array | undefined,
      from: readonly number[] = [],
      as = (value: number, _part: number) => value,
    ) => {
      for (const [part, at] of into === undefined ? [] : from.entries()) {
        if (at !== -1 && into !== undefined) {
          into[row * from.length + part] = as(values[at] ?? Number.NaN, part);
        }
      }
    };
    take(positions, position);
    take(normals, normal);
    // Texture coordinates start at the bottom here, and at the top in the model.
    take(uvs, uv, (value, part) => (part === 1 ? 1 - value : value));
    take(colors, color, (value, part) => (part === 3 ? value / bytes : linear(value / bytes)));
  };
  return { positions, normals, uvs, colors, put };
};

const FACE_BYTES = 13;

/** Writes a binary PLY: one list of vertices, with normals, texture coordinates and colors if any mesh has them. */
export const writePly = async (model: Model, { output }: EngineTask): Promise<void> => {
  const { meshes } = model;
  const normals = meshes.some((mesh) => mesh.normals !== undefined);
  const uvs = meshes.some((mesh) => mesh.uvs !== undefined);
  const colors = meshes.map((mesh) => vertexColorsOf(model, mesh));
  const colored = colors.some((list) => list !== undefined);
  const floats = 3 + (normals ? 3 : 0) + (uvs ? 2 : 0);
  const file = await open(output, "wx");
  try {
    await file.write(headerOf(meshes, { normals, uvs, colored }));
    for (const [index, mesh] of meshes.entries()) {
      const count = mesh.positions.length / 3;
      const size = floats * 4 + (colored ? 4 : 0);
      const bytes = Buffer.alloc(count * size);
      for (let vertex = 0; vertex < count; vertex += 1) {
        const three = (list: Float32Array | undefined) => [0, 1, 2].map((part) => list?.[vertex * 3 + part] ?? 0);
        const textureUv = [mesh.uvs?.[vertex * 2] ?? 0, 1 - (mesh.uvs?.[vertex * 2 + 1] ?? 1)];
        const values = [...three(mesh.positions), ...(normals ? three(mesh.normals) : []), ...(uvs ? textureUv : [])];
        for (const [part, value] of values.entries()) {
          bytes.writeFloatLE(value, vertex * size + part * 4);
        }
        for (let part = 0; colored && part < 4; part += 1) {
          const value = colors[index]?.[vertex * 4 + part] ?? 1;
          bytes[vertex * size + floats * 4 + part] = part === 3 ? Math.round(255 * value) : byteOf(value);
        }
      }
      await file.write(bytes);
    }
    let start = 0;
    for (const { positions, indices } of meshes) {
      const bytes = Buffer.alloc((indices.length / 3) * FACE_BYTES);
      for (let at = 0; at < indices.length; at += 1) {
        const face = Math.floor(at / 3) * FACE_BYTES;
        bytes[face] = 3;
        bytes.writeUInt32LE(start + (indices[at] ?? 0), face + 1 + (at % 3) * 4);
      }
      await file.write(bytes);
      start += positions.length / 3;
    }
  } finally {
    await file.close();
  }
};

const headerOf = (
  meshes: Model["meshes"],
  { normals, uvs, colored }: { normals: boolean; uvs: boolean; colored: boolean },
): string => {
  const properties = [
    ...["x", "y", "z", ...(normals ? ["nx", "ny", "nz"] : []), ...(uvs ? ["s", "t"] : [])].map(
      (name) => `float ${name}`,
    ),
    ...(colored ? ["red", "green", "blue", "alpha"].map((name) => `uchar ${name}`) : []),
  ];
  const vertices = meshes.reduce((sum, { positions }) => sum + positions.length / 3, 0);
  return [
    "ply",
    "format binary_little_endian 1.0",
    "comment written by anyform",
    `element vertex ${vertices}`,
    ...properties.map((property) => `property ${property}`),
    `element face ${trianglesOf({ meshes })}`,
    "property list uchar int vertex_indices",
    "end_header\n",
  ].join("\n");
};
