import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { JobError } from "../../../domain/errors.ts";
import type { EngineTask } from "../../core/engine.ts";
import { inPieces } from "../../data/text/chunks.ts";
import { readText } from "../../data/text/text.ts";
import { floats, integers } from "../geometry/mesh-builder.ts";
import { checkSize, gamma, linear, type Mesh, type Model, plainMaterial, WHITE } from "../geometry/model.ts";
import { triangulate } from "../geometry/polygon.ts";
import { vertexColorsOf } from "./colors.ts";
import type { ReadModel } from "./gltf-in.ts";

/**
 * Reads an OBJ (Wavefront): faces with their normals, texture coordinates and vertex colors. Materials are defined in a
 * separate file, which is not available; their names are kept.
 *
 * @throws JobError `source_corrupt`
 */
export const readObj = async ({ input }: EngineTask): Promise<ReadModel> => {
  const { text } = await readText(input);
  const file: File = { positions: floats(), colors: floats(), uvs: floats(), normals: floats(), groups: new Map() };
  let [object, material] = ["", ""];
  let library = false;
  // A backslash at the end of a line continues it.
  for (const line of text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/)) {
    const [word = "", ...rest] = line.trim().split(/\s+/);
    if (word === "f") {
      addFace(file, { vertices: rest, object, material });
    } else if (word === "o" || word === "g") {
      object = rest.join(" ");
    } else if (word === "usemtl") {
      material = rest.join(" ");
    } else if (word === "mtllib") {
      library = true;
    } else if (Object.hasOwn(lists, word)) {
      lists[word]?.(file, rest.map(Number));
    }
  }
  const names = [...new Set([...file.groups.values()].map((group) => group.material).filter(Boolean))];
  const meshes = [...file.groups.values()].map((group) => meshOf(file, group, names));
  const warnings = library
    ? [
        {
          code: "materials_missing",
          detail: "The OBJ refers to a material library (.mtl), which was not uploaded with it.",
        },
      ]
    : [];
  return { model: { meshes, materials: names.map((name) => plainMaterial(name, WHITE)), pictures: [] }, warnings };
};

interface Group {
  readonly object: string;
  readonly material: string;
  /** The index of each vertex in the mesh, by its text in the file. */
  readonly vertices: Map<string, number>;
  /** Position, texture coordinates and normal of each vertex, counted from 0; -1 for none. */
  readonly parts: ReturnType<typeof floats>;
  readonly indices: ReturnType<typeof integers>;
}

interface File {
  readonly positions: ReturnType<typeof floats>;
  readonly colors: ReturnType<typeof floats>;
  readonly uvs: ReturnType<typeof floats>;
  readonly normals: ReturnType<typeof floats>;
  readonly groups: Map<string, Group>;
}

const lists: Readonly<Record<string, (file: File, numbers: readonly number[]) => void>> = {
  v: ({ positions, colors }, [x = Number.NaN, y = Number.NaN, z = Number.NaN, ...more]) => {
    positions.push(x, y, z);
    const [red = 1, green = 1, blue = 1] = more.length >= 3 ? more.slice(-3) : [];
    if (more.length >= 3 || colors.length() > 0) {
      while (colors.length() < positions.length() - 3) {
        colors.push(1);
      }
      colors.push(linear(red), linear(green), linear(blue));
    }
  },
  // Texture coordinates start at the bottom here, and at the top in the model.
  vt: ({ uvs }, [u = 0, v = 0]) => uvs.push(u, 1 - v),
  vn: ({ normals }, [x = 0, y = 0, z = 0]) => normals.push(x, y, z),
};

const addFace = (
  file: File,
  { vertices, object, material }: { vertices: readonly string[]; object: string; material: string },
): void => {
  const key = `${object}\n${material}`;
  const group = file.groups.get(key) ?? { object, material, vertices: new Map(), parts: floats(), indices: integers() };
  file.groups.set(key, group);
  const found = vertices.map((vertex) => vertexOf(file, group, vertex));
  if (found.length >= 3) {
    const places = {
      at: (index: number) => file.positions.at((group.parts.at(Math.floor(index / 3) * 3) | 0) * 3 + (index % 3)),
    };
    for (const index of triangulate(found, places)) {
      group.indices.push(index);
    }
    checkSize(group.indices.length() / 3, group.parts.length() / 3);
  }
};

/** @returns the index of a vertex in its mesh: of an existing one, or of a new one */
const vertexOf = ({ positions, uvs, normals }: File, { vertices, parts }: Group, text: string): number => {
  // A relative index refers to a different vertex each time.
  const known = text.includes("-") ? undefined : vertices.get(text);
  if (known !== undefined) {
    return known;
  }
  const counts = [positions.length() / 3, uvs.length() / 2, normals.length() / 3];
  const numbers = text.split("/").map(Number);
  const [position = -1, uv = -1, normal = -1] = counts.map((count, part) => {
    const number = numbers[part] ?? 0;
    return number < 0 ? count + number : number - 1;
  });
  if (!(position >= 0 && position < (counts[0] ?? 0)) || uv >= (counts[1] ?? 0) || normal >= (counts[2] ?? 0)) {
    throw new JobError("source_corrupt", "An OBJ face refers to vertices that do not exist.");
  }
  parts.push(position, uv, normal);
  const index = parts.length() / 3 - 1;
  vertices.set(text, index);
  return index;
};

const meshOf = (file: File, { object, material, parts, indices }: Group, names: readonly string[]): Mesh => {
  const count = parts.length() / 3;
  const gather = (from: { at(index: number): number }, part: number, size: number): Float32Array =>
    Float32Array.from({ length: count * size }, (_, index) =>
      from.at(parts.at(Math.floor(index / size) * 3 + part) * size + (index % size)),
    );
  const all = (part: number): boolean => {
    for (let vertex = 0; vertex < count; vertex += 1) {
      if (parts.at(vertex * 3 + part) < 0) {
        return false;
      }
    }
    return true;
  };
  const colors = file.colors.length() === file.positions.length() ? gather(file.colors, 0, 3) : undefined;
  return {
    name: object,
    positions: gather(file.positions, 0, 3),
    indices: indices.taken(),
    uvs: all(1) ? gather(file.uvs, 1, 2) : undefined,
    normals: all(2) ? gather(file.normals, 2, 3) : undefined,
    colors:
      colors &&
      Float32Array.from({ length: count * 4 }, (_, at) =>
        at % 4 === 3 ? 1 : (colors[Math.floor(at / 4) * 3 + (at % 4)] ?? 1),
      ),
    material: material === "" ? undefined : names.indexOf(material),
  };
};

/** Writes an OBJ. Materials would require a second file, so vertex colors are written, which many programs read. */
export const writeObj = (model: Model, { output }: EngineTask): Promise<void> =>
  pipeline(() => inPieces(textOf(model)), createWriteStream(output));

const textOf = function* (model: Model): Generator<string> {
  yield "# written by anyform\n";
  let [vertex, uv, normal] = [1, 1, 1];
  for (const [meshIndex, mesh] of model.meshes.entries()) {
    const { name, positions, indices, uvs, normals, material } = mesh;
    yield `o ${name.replaceAll(/\s+/g, "_") || `mesh_${meshIndex + 1}`}\n`;
    const colors = vertexColorsOf(model, mesh);
    const shown = (value = 0): string => String(Math.round(gamma(value) * 10_000) / 10_000);
    for (let at = 0; at < positions.length / 3; at += 1) {
      const color = colors && ` ${[0, 1, 2].map((part) => shown(colors[at * 4 + part])).join(" ")}`;
      yield `v ${positions[at * 3]} ${positions[at * 3 + 1]} ${positions[at * 3 + 2]}${color ?? ""}\n`;
    }
    for (let at = 0; uvs !== undefined && at < uvs.length; at += 2) {
      yield `vt ${uvs[at]} ${1 - (uvs[at + 1] ?? 0)}\n`;
    }
    for (let at = 0; normals !== undefined && at < normals.length; at += 3) {
      yield `vn ${normals[at]} ${normals[at + 1]} ${normals[at + 2]}\n`;
    }
    const used = model.materials[material ?? -1]?.name.replaceAll(/\s+/g, "_");
    yield used ? `usemtl ${used}\n` : "";
    for (let at = 0; at < indices.length; at += 3) {
      const face = [0, 1, 2].map((part) => {
        const index = indices[at + part] ?? 0;
        const place = uvs === undefined ? "" : String(uv + index);
        const tail = normals === undefined ? "" : `/${normal + index}`;
        return `${vertex + index}${place === "" && tail === "" ? "" : `/${place}`}${tail}`;
      });
      yield `f ${face.join(" ")}\n`;
    }
    vertex += positions.length / 3;
    uv += (uvs?.length ?? 0) / 2;
    normal += (normals?.length ?? 0) / 3;
  }
};
