import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { JobError } from "../../domain/errors.ts";
import type { EngineTask } from "../engine.ts";
import { floats, integers } from "../io/mesh-builder.ts";
import { checkSize, gamma, linear, type Mesh, type Model, plainMaterial, WHITE } from "../io/model.ts";
import { triangulate } from "../io/polygon.ts";
import { readText } from "../io/text.ts";
import { inPieces } from "../io/text-chunks.ts";
import { vertexColoursOf } from "./colours.ts";
import type { ReadModel } from "./gltf-in.ts";

/**
 * Reads an OBJ (Wavefront): faces with their normals, places in pictures, and colours of corners. Materials stand in
 * another file, which is not there; their names are kept.
 *
 * @throws JobError `source_corrupt`
 */
export const readObj = async ({ input }: EngineTask): Promise<ReadModel> => {
  const { text } = await readText(input);
  const file: File = { positions: floats(), colours: floats(), uvs: floats(), normals: floats(), groups: new Map() };
  let [object, material] = ["", ""];
  let library = false;
  // A backslash at its end continues a line.
  for (const line of text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/)) {
    const [word = "", ...rest] = line.trim().split(/\s+/);
    if (word === "f") {
      addFace(file, { corners: rest, object, material });
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
    ? [{ code: "materials_missing", detail: "The OBJ names a file of materials (.mtl), which did not come with it." }]
    : [];
  return { model: { meshes, materials: names.map((name) => plainMaterial(name, WHITE)), pictures: [] }, warnings };
};

interface Group {
  readonly object: string;
  readonly material: string;
  /** The corners by how they were written, and their number in the mesh. */
  readonly corners: Map<string, number>;
  /** Position, place in the picture and normal of each corner, from 0; -1 where it has none. */
  readonly parts: ReturnType<typeof floats>;
  readonly indices: ReturnType<typeof integers>;
}

interface File {
  readonly positions: ReturnType<typeof floats>;
  readonly colours: ReturnType<typeof floats>;
  readonly uvs: ReturnType<typeof floats>;
  readonly normals: ReturnType<typeof floats>;
  readonly groups: Map<string, Group>;
}

const lists: Readonly<Record<string, (file: File, numbers: readonly number[]) => void>> = {
  v: ({ positions, colours }, [x = Number.NaN, y = Number.NaN, z = Number.NaN, ...more]) => {
    positions.push(x, y, z);
    const [red = 1, green = 1, blue = 1] = more.length >= 3 ? more.slice(-3) : [];
    if (more.length >= 3 || colours.length() > 0) {
      while (colours.length() < positions.length() - 3) {
        colours.push(1);
      }
      colours.push(linear(red), linear(green), linear(blue));
    }
  },
  // The picture is measured from below here, and from above in the model.
  vt: ({ uvs }, [u = 0, v = 0]) => uvs.push(u, 1 - v),
  vn: ({ normals }, [x = 0, y = 0, z = 0]) => normals.push(x, y, z),
};

const addFace = (
  file: File,
  { corners, object, material }: { corners: readonly string[]; object: string; material: string },
): void => {
  const key = `${object}\n${material}`;
  const group = file.groups.get(key) ?? { object, material, corners: new Map(), parts: floats(), indices: integers() };
  file.groups.set(key, group);
  const found = corners.map((corner) => cornerOf(file, group, corner));
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

/** @returns the number of a corner in its mesh: one that was there before, or a new one */
const cornerOf = ({ positions, uvs, normals }: File, { corners, parts }: Group, text: string): number => {
  // What counts from the end means another place each time.
  const known = text.includes("-") ? undefined : corners.get(text);
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
    throw new JobError("source_corrupt", "The OBJ has a face whose corners do not exist.");
  }
  parts.push(position, uv, normal);
  const index = parts.length() / 3 - 1;
  corners.set(text, index);
  return index;
};

const meshOf = (file: File, { object, material, parts, indices }: Group, names: readonly string[]): Mesh => {
  const count = parts.length() / 3;
  const gather = (from: { at(index: number): number }, part: number, size: number): Float32Array =>
    Float32Array.from({ length: count * size }, (_, index) =>
      from.at(parts.at(Math.floor(index / size) * 3 + part) * size + (index % size)),
    );
  const all = (part: number): boolean => {
    for (let corner = 0; corner < count; corner += 1) {
      if (parts.at(corner * 3 + part) < 0) {
        return false;
      }
    }
    return true;
  };
  const colours = file.colours.length() === file.positions.length() ? gather(file.colours, 0, 3) : undefined;
  return {
    name: object,
    positions: gather(file.positions, 0, 3),
    indices: indices.taken(),
    uvs: all(1) ? gather(file.uvs, 1, 2) : undefined,
    normals: all(2) ? gather(file.normals, 2, 3) : undefined,
    colours:
      colours &&
      Float32Array.from({ length: count * 4 }, (_, at) =>
        at % 4 === 3 ? 1 : (colours[Math.floor(at / 4) * 3 + (at % 4)] ?? 1),
      ),
    material: material === "" ? undefined : names.indexOf(material),
  };
};

/** Writes an OBJ. Its materials would need a second file, so colours are written at the corners, as many programs read them. */
export const writeObj = (model: Model, { output }: EngineTask): Promise<void> =>
  pipeline(() => inPieces(textOf(model)), createWriteStream(output));

const textOf = function* (model: Model): Generator<string> {
  yield "# written by anyform\n";
  let [vertex, uv, normal] = [1, 1, 1];
  for (const [index, mesh] of model.meshes.entries()) {
    const { name, positions, indices, uvs, normals, material } = mesh;
    yield `o ${name.replaceAll(/\s+/g, "_") || `mesh_${index + 1}`}\n`;
    const colours = vertexColoursOf(model, mesh);
    const shown = (value = 0): string => String(Math.round(gamma(value) * 10_000) / 10_000);
    for (let at = 0; at < positions.length / 3; at += 1) {
      const colour = colours && ` ${[0, 1, 2].map((part) => shown(colours[at * 4 + part])).join(" ")}`;
      yield `v ${positions[at * 3]} ${positions[at * 3 + 1]} ${positions[at * 3 + 2]}${colour ?? ""}\n`;
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
      const corners = [0, 1, 2].map((part) => {
        const corner = indices[at + part] ?? 0;
        const place = uvs === undefined ? "" : String(uv + corner);
        const tail = normals === undefined ? "" : `/${normal + corner}`;
        return `${vertex + corner}${place === "" && tail === "" ? "" : `/${place}`}${tail}`;
      });
      yield `f ${corners.join(" ")}\n`;
    }
    vertex += positions.length / 3;
    uv += (uvs?.length ?? 0) / 2;
    normal += (normals?.length ?? 0) / 3;
  }
};
