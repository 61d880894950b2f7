import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { JobError } from "../../domain/errors.ts";
import type { EngineTask } from "../engine.ts";
import { floats, integers } from "../io/mesh-builder.ts";
import { checkSize, type Model, trianglesOf } from "../io/model.ts";
import { triangulate } from "../io/polygon.ts";
import { readText } from "../io/text.ts";
import { inPieces } from "../io/text-chunks.ts";
import type { ReadModel } from "./gltf-in.ts";

/**
 * Reads an OFF (Geomview's object file format) as text: corners, and faces of any number of corners.
 *
 * @throws JobError `source_corrupt`; `unsupported_feature` when it is binary or of four dimensions
 */
export const readOff = async ({ input }: EngineTask): Promise<ReadModel> => {
  const { text } = await readText(input);
  const [, kind = "", rest = ""] = /^\s*((?:ST|C|N|4|n)*OFF)?\b([\s\S]*)$/.exec(text) ?? [];
  if (/4|n/.test(kind) || /^\s*BINARY/.test(rest)) {
    throw new JobError("unsupported_feature", "The OFF is binary or of other than three dimensions.");
  }
  const lines = rest.split(/\r?\n/).map((line) => line.replace(/#.*/, "").trim());
  const rows = lines.filter((line) => line !== "").map((line) => line.split(/\s+/).map(Number));
  const [[vertices = 0, faces = 0] = [], ...data] = rows;
  if (!(vertices > 0 && faces > 0) || data.length < vertices + faces) {
    throw new JobError("source_corrupt", "The OFF breaks off: it has fewer corners or faces than it says.");
  }
  checkSize(faces, vertices);
  const positions = floats();
  for (const [x = Number.NaN, y = Number.NaN, z = Number.NaN] of data.slice(0, vertices)) {
    positions.push(x, y, z);
  }
  const indices = integers();
  for (const [count = 0, ...corners] of data.slice(vertices, vertices + faces)) {
    if (corners.length < count || corners.slice(0, count).some((corner) => !(corner >= 0 && corner < vertices))) {
      throw new JobError("source_corrupt", "The OFF has a face whose corners do not exist.");
    }
    if (count >= 3) {
      for (const index of triangulate(corners.slice(0, count), positions)) {
        indices.push(index);
      }
    }
  }
  const coloured = kind.startsWith("C") || data.slice(vertices).some(([count = 0, ...more]) => more.length > count);
  return {
    model: {
      meshes: [{ name: "", positions: positions.taken(), indices: indices.taken() }],
      materials: [],
      pictures: [],
    },
    warnings: coloured ? [{ code: "colours_dropped", detail: "Colours in an OFF are not read." }] : [],
  };
};

/** Writes an OFF: shapes only. */
export const writeOff = (model: Model, { output }: EngineTask): Promise<void> =>
  pipeline(() => inPieces(textOf(model)), createWriteStream(output));

const textOf = function* ({ meshes }: Model): Generator<string> {
  const vertices = meshes.reduce((sum, { positions }) => sum + positions.length / 3, 0);
  yield `OFF\n${vertices} ${trianglesOf({ meshes })} 0\n`;
  for (const { positions } of meshes) {
    for (let at = 0; at < positions.length; at += 3) {
      yield `${positions[at]} ${positions[at + 1]} ${positions[at + 2]}\n`;
    }
  }
  let start = 0;
  for (const { positions, indices } of meshes) {
    for (let at = 0; at < indices.length; at += 3) {
      yield `3 ${[0, 1, 2].map((corner) => start + (indices[at + corner] ?? 0)).join(" ")}\n`;
    }
    start += positions.length / 3;
  }
};
