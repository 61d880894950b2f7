import { open, readFile } from "node:fs/promises";
import { JobError } from "../../../domain/errors.ts";
import type { EngineTask } from "../../core/engine.ts";
import { floats, welded } from "../geometry/mesh-builder.ts";
import { checkSize, type Model, trianglesOf } from "../geometry/model.ts";
import type { ReadModel } from "./gltf-in.ts";

const HEADER_BYTES = 84;
const FACET_BYTES = 50;

/**
 * Reads an STL, binary or text. Vertices at the same position are merged; normals follow from them.
 *
 * @throws JobError `source_corrupt`
 */
export const readStl = async ({ input }: EngineTask): Promise<ReadModel> => {
  const bytes = await readFile(input);
  const positions = isBinary(bytes) ? binaryFacets(bytes) : textFacets(bytes.toString("latin1"));
  checkSize(positions.length / 9, positions.length / 3);
  const indices = Uint32Array.from({ length: positions.length / 3 }, (_, index) => index);
  const mesh = welded({ name: "", positions, indices });
  return { model: { meshes: [mesh], materials: [], pictures: [] }, warnings: [] };
};

/** Some programs start binary files with `solid`, too, so the expected size decides. */
const isBinary = (bytes: Buffer): boolean => {
  if (bytes.length < HEADER_BYTES) {
    return false;
  }
  const expectedSize = HEADER_BYTES + bytes.readUInt32LE(80) * FACET_BYTES;
  return (
    expectedSize === bytes.length ||
    !/^\s*solid/.test(bytes.toString("latin1", 0, 80)) ||
    bytes.subarray(0, 1_000).includes(0)
  );
};

const binaryFacets = (bytes: Buffer): Float32Array => {
  const count = bytes.readUInt32LE(80);
  if (HEADER_BYTES + count * FACET_BYTES > bytes.length) {
    throw new JobError("source_corrupt", "Truncated STL: it has fewer facets than declared.");
  }
  checkSize(count, count * 3);
  const positions = new Float32Array(count * 9);
  for (let facet = 0; facet < count; facet += 1) {
    const start = HEADER_BYTES + facet * FACET_BYTES + 12;
    for (let number = 0; number < 9; number += 1) {
      positions[facet * 9 + number] = bytes.readFloatLE(start + number * 4);
    }
  }
  return positions;
};

const textFacets = (text: string): Float32Array => {
  if (!/^\s*solid\b/.test(text)) {
    throw new JobError("source_corrupt", "Not an STL file: missing the solid keyword.");
  }
  if (!/\bendsolid\b/.test(text.slice(-1_000))) {
    throw new JobError("source_corrupt", "Truncated STL: missing the endsolid keyword.");
  }
  const positions = floats();
  for (const [, x, y, z] of text.matchAll(/\bvertex\s+(\S+)\s+(\S+)\s+(\S+)/g)) {
    positions.push(Number(x), Number(y), Number(z));
  }
  if (positions.length() % 9 !== 0) {
    throw new JobError("source_corrupt", "STL facet does not have exactly three vertices.");
  }
  return positions.taken();
};

/** Writes a binary STL. The format has no colors or names, so only geometry is written. */
export const writeStl = async ({ meshes }: Model, { output }: EngineTask): Promise<void> => {
  const file = await open(output, "wx");
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    header.write("binary STL written by anyform", "latin1");
    header.writeUInt32LE(trianglesOf({ meshes }), 80);
    await file.write(header);
    for (const { positions, indices } of meshes) {
      const vertex = (at: number): readonly [number, number, number] => {
        const from = (indices[at] ?? 0) * 3;
        return [positions[from] ?? 0, positions[from + 1] ?? 0, positions[from + 2] ?? 0];
      };
      const facets = Buffer.alloc((indices.length / 3) * FACET_BYTES);
      for (let facet = 0; facet < indices.length / 3; facet += 1) {
        const vertices = [vertex(facet * 3), vertex(facet * 3 + 1), vertex(facet * 3 + 2)] as const;
        for (const [number, value] of [...normalOf(vertices), ...vertices.flat()].entries()) {
          facets.writeFloatLE(value, facet * FACET_BYTES + number * 4);
        }
      }
      await file.write(facets);
    }
  } finally {
    await file.close();
  }
};

type Vector = readonly [number, number, number];

const normalOf = ([a, b, c]: readonly [Vector, Vector, Vector]): Vector => {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const normal: Vector = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(...normal);
  return length === 0 ? [0, 0, 0] : [normal[0] / length, normal[1] / length, normal[2] / length];
};
