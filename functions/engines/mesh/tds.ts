import { readFile } from "node:fs/promises";
import { JobError } from "../../domain/errors.ts";
import type { EngineTask } from "../engine.ts";
import { floats, integers } from "../io/mesh-builder.ts";
import { checkSize, linear, type Material, type Mesh, plainMaterial } from "../io/model.ts";
import type { ReadModel } from "./gltf-in.ts";

/** Chunks of a 3DS that are read: those that hold others, and those that hold data. */
const HOLDERS: ReadonlySet<number> = new Set([0x4d4d, 0x3d3d, 0x4100]);
const OBJECT = 0x4000;
const VERTICES = 0x4110;
const FACES = 0x4120;
const FACE_MATERIAL = 0x4130;
const PLACES = 0x4140;
const MATERIAL = 0xafff;
const MATERIAL_NAME = 0xa000;
const DIFFUSE = 0xa020;
const TEXTURE = 0xa200;
/** Of colours, as bytes and as numbers. */
const BYTES: ReadonlySet<number> = new Set([0x0011, 0x0012]);

/**
 * Reads a 3DS: the meshes, whose corners stand where they are shown, and the colours of their materials. three.js takes
 * the colour of the shade for that of the light.
 *
 * @throws JobError `source_corrupt`
 */
export const readTds = async ({ input }: EngineTask): Promise<ReadModel> => {
  const bytes = await readFile(input);
  const file: File = { meshes: [], materials: [], textured: false, open: newShape("") };
  readChunks(bytes, file);
  addShape(file);
  const warnings = file.textured
    ? [
        {
          code: "textures_dropped",
          detail: "Pictures on the surfaces stand in other files, which did not come with the 3DS.",
        },
      ]
    : [];
  return { model: { meshes: file.meshes, materials: file.materials, pictures: [] }, warnings };
};

interface Shape {
  readonly name: string;
  readonly positions: ReturnType<typeof floats>;
  readonly uvs: ReturnType<typeof floats>;
  readonly indices: ReturnType<typeof integers>;
  /** The faces by the name of their material. */
  readonly groups: Map<string, number[]>;
}

interface File {
  readonly meshes: Mesh[];
  readonly materials: Material[];
  textured: boolean;
  open: Shape;
}

const newShape = (name: string): Shape => ({
  name,
  positions: floats(),
  uvs: floats(),
  indices: integers(),
  groups: new Map(),
});

const HEADER_BYTES = 6;

/** @returns the chunks that follow each other in the bytes */
const chunksOf = function* (bytes: Buffer): Generator<{ id: number; data: Buffer }> {
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length) {
    const length = bytes.readUInt32LE(at + 2);
    if (length < HEADER_BYTES || at + length > bytes.length) {
      throw new JobError("source_corrupt", "The 3DS breaks off before its end.");
    }
    yield { id: bytes.readUInt16LE(at), data: bytes.subarray(at + HEADER_BYTES, at + length) };
    at += length;
  }
};

const readChunks = (bytes: Buffer, file: File): void => {
  for (const { id, data } of chunksOf(bytes)) {
    if (HOLDERS.has(id)) {
      readChunks(data, file);
    } else if (id === OBJECT) {
      const { text, rest } = named(data);
      addShape(file);
      file.open = newShape(text);
      readChunks(rest, file);
    } else if (id === VERTICES) {
      pushFloats(file.open.positions, data, 3);
    } else if (id === PLACES) {
      pushFloats(file.open.uvs, data, 2);
    } else if (id === FACES) {
      readFaces(data, file.open);
    } else if (id === MATERIAL) {
      readMaterial(data, file);
    }
  }
};

const named = (data: Buffer): { text: string; rest: Buffer } => {
  const end = data.indexOf(0);
  const length = end === -1 ? data.length : end;
  return { text: data.toString("latin1", 0, length), rest: data.subarray(length + 1) };
};

const countOf = (data: Buffer, size: number): number => {
  const count = data.length < 2 ? 0 : data.readUInt16LE(0);
  if (2 + count * size > data.length) {
    throw new JobError("source_corrupt", "The 3DS has fewer corners or faces than it says.");
  }
  return count;
};

const pushFloats = (into: ReturnType<typeof floats>, data: Buffer, size: number): void => {
  const count = countOf(data, size * 4);
  for (let number = 0; number < count * size; number += 1) {
    into.push(data.readFloatLE(2 + number * 4));
  }
};

/** Each face has three corners, and flags. */
const FACE_BYTES = 8;

const readFaces = (data: Buffer, { indices, groups }: Shape): void => {
  const count = countOf(data, FACE_BYTES);
  for (let face = 0; face < count; face += 1) {
    indices.push(...[0, 2, 4].map((at) => data.readUInt16LE(2 + face * FACE_BYTES + at)));
  }
  for (const chunk of chunksOf(data.subarray(2 + count * FACE_BYTES))) {
    if (chunk.id === FACE_MATERIAL) {
      const { text, rest } = named(chunk.data);
      groups.set(
        text,
        Array.from({ length: countOf(rest, 2) }, (_, at) => rest.readUInt16LE(2 + at * 2)),
      );
    }
  }
};

const readMaterial = (data: Buffer, file: File): void => {
  let name = "";
  let colour: Material["colour"] = [1, 1, 1, 1];
  for (const chunk of chunksOf(data)) {
    if (chunk.id === MATERIAL_NAME) {
      name = named(chunk.data).text;
    } else if (chunk.id === DIFFUSE) {
      const [first] = chunksOf(chunk.data);
      const isBytes = first !== undefined && BYTES.has(first.id);
      const values = [0, 1, 2].map((part) => {
        const has = first !== undefined && first.data.length >= (isBytes ? 3 : 12);
        return has ? (isBytes ? first.data.readUInt8(part) / 255 : first.data.readFloatLE(part * 4)) : 1;
      });
      const [red = 1, green = 1, blue = 1] = values.map(linear);
      colour = [red, green, blue, 1];
    } else if (chunk.id === TEXTURE) {
      file.textured = true;
    }
  }
  file.materials.push(plainMaterial(name, colour));
};

/** Adds what was read of an object: a mesh for each of its materials, and one for the faces without any. */
const addShape = ({ meshes, materials, open: { name, positions, uvs, indices, groups } }: File): void => {
  const faces = indices.length() / 3;
  const grouped = new Set([...groups.values()].flat());
  const rest = Array.from({ length: faces }, (_, face) => face).filter((face) => !grouped.has(face));
  for (const [material, members] of [...groups, ["", rest] as const]) {
    const corners = members
      .filter((face) => face < faces)
      .flatMap((face) => [0, 1, 2].map((part) => indices.at(face * 3 + part)));
    if (corners.length > 0) {
      const number = materials.findIndex((known) => known.name === material);
      meshes.push({
        name,
        positions: positions.taken(),
        uvs:
          uvs.length() / 2 === positions.length() / 3
            ? uvs.taken().map((value, at) => (at % 2 === 1 ? 1 - value : value))
            : undefined,
        indices: Uint32Array.from(corners),
        material: number === -1 ? undefined : number,
      });
    }
  }
  checkSize(
    meshes.reduce((sum, mesh) => sum + mesh.indices.length / 3, 0),
    meshes.reduce((sum, mesh) => sum + mesh.positions.length / 3, 0),
  );
};
