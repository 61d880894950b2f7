import { JobError } from "../../../domain/errors.ts";
import { readZip, type ZipDocument } from "../../archives/zip/reader.ts";
import type { EngineTask } from "../../core/engine.ts";
import { floats, integers } from "../geometry/mesh-builder.ts";
import { checkParts, checkSize, linear, type Material, type Mesh, plainMaterial } from "../geometry/model.ts";
import type { ReadModel } from "./gltf-in.ts";
import { IDENTITY, type Matrix, movedMesh, multiplied } from "./matrix.ts";

/**
 * Reads a 3MF (3MF Core Specification 1.3): the objects to build, with their transformations, in millimeters, and with
 * their material colors.
 *
 * @throws JobError `source_corrupt`, and what `readZip` throws
 */
export const read3mf = ({ input }: EngineTask): Promise<ReadModel> =>
  readZip(input, async (zip) => {
    const root = zip.paths.find((path) => /^3D\/[^/]*\.model$/i.test(path));
    if (root === undefined) {
      throw new JobError("source_corrupt", "The 3MF contains no model.");
    }
    const package_ = await packageOf(zip, root);
    const scale = MILLIMETERS[package_.unit] ?? 1;
    const size: Matrix = [scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, 1];
    const placed: Built = { meshes: [], parts: 0, triangles: 0, vertices: 0 };
    for (const { object, path, matrix } of package_.items) {
      place(package_, { key: `${path} ${object}`, matrix: multiplied(size, matrix), depth: 0 }, placed);
    }
    const warnings = package_.textured
      ? [{ code: "textures_dropped", detail: "Textures of a 3MF are not supported and were removed." }]
      : [];
    return { model: { meshes: placed.meshes, materials: package_.materials, pictures: [] }, warnings };
  });

const MILLIMETERS: Readonly<Record<string, number>> = {
  micron: 0.001,
  millimeter: 1,
  centimeter: 10,
  inch: 25.4,
  foot: 304.8,
  meter: 1_000,
};

interface Placed {
  readonly object: string;
  readonly path: string;
  readonly matrix: Matrix;
}

interface Package {
  unit: string;
  textured: boolean;
  readonly items: Placed[];
  readonly materials: Material[];
  /** Objects by the path of their part and their id: triangles and components. */
  readonly objects: Map<string, { meshes: Mesh[]; components: Placed[] }>;
}

/** Bambu, Prusa and others put each object into a separate part (3MF Production Extension). */
const packageOf = async (zip: ZipDocument, root: string): Promise<Package> => {
  const found: Package = { unit: "millimeter", textured: false, items: [], materials: [], objects: new Map() };
  const others = zip.paths.filter((path) => path !== root && /^3D\/.*\.model$/i.test(path));
  for (const path of [root, ...others]) {
    const bytes = await zip.read(path);
    if (bytes !== undefined) {
      readPart(bytes.toString("utf8"), path, { found, isRoot: path === root });
    }
  }
  return found;
};

const ELEMENTS =
  /<(\/?)(?:\w+:)?(model|object|vertex|triangle|component|item|basematerials|base|colorgroup|color|texture2dgroup)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/g;

const readPart = (text: string, path: string, { found, isRoot }: { found: Package; isRoot: boolean }): void => {
  /** The first material of each group, by the group's id. */
  const groups = new Map<string, number>();
  let open = newObject();
  for (const [, closing, name = "", inner = ""] of text.matchAll(ELEMENTS)) {
    const attribute = (wanted: string) => new RegExp(`(?:^|[\\s:])${wanted}\\s*=\\s*["']([^"']*)["']`).exec(inner)?.[1];
    if (closing === "/" ? name === "object" : name === "object" && inner.trim().endsWith("/")) {
      found.objects.set(`${path} ${open.id}`, { meshes: meshesOf(open), components: open.components });
    } else if (closing === "/") {
    } else if (name === "object") {
      open = newObject(attribute("id"), attribute("name"));
      open.material = materialAt(groups, attribute("pid"), attribute("pindex"));
    } else if (name === "vertex") {
      open.positions.push(Number(attribute("x")), Number(attribute("y")), Number(attribute("z")));
    } else if (name === "triangle") {
      const material = materialAt(groups, attribute("pid"), attribute("p1")) ?? open.material ?? -1;
      const indices = open.byMaterial.get(material) ?? integers();
      open.byMaterial.set(material, indices);
      indices.push(Number(attribute("v1")), Number(attribute("v2")), Number(attribute("v3")));
      checkSize(indices.length() / 3, open.positions.length() / 3);
    } else if (name === "component" || (name === "item" && isRoot)) {
      const placed = {
        object: attribute("objectid") ?? "",
        path: attribute("path")?.replace(/^\//, "") ?? path,
        matrix: matrixOf(attribute("transform")),
      };
      (name === "item" ? found.items : open.components).push(placed);
    } else if (name === "model" && isRoot) {
      found.unit = attribute("unit") ?? found.unit;
    } else if (name === "basematerials" || name === "colorgroup") {
      groups.set(attribute("id") ?? "", found.materials.length);
    } else if (name === "base" || name === "color") {
      found.materials.push(
        plainMaterial(attribute("name") ?? "", colorOf(attribute("displaycolor") ?? attribute("color"))),
      );
    } else if (name === "texture2dgroup") {
      found.textured = true;
    }
  }
};

interface OpenObject {
  readonly id: string;
  readonly name: string;
  material: number | undefined;
  readonly positions: ReturnType<typeof floats>;
  readonly byMaterial: Map<number, ReturnType<typeof integers>>;
  readonly components: Placed[];
}

const newObject = (id = "", name = ""): OpenObject => ({
  id,
  name,
  material: undefined,
  positions: floats(),
  byMaterial: new Map(),
  components: [],
});

const meshesOf = ({ name, positions, byMaterial }: OpenObject): Mesh[] =>
  [...byMaterial].map(([material, indices]) => ({
    name,
    positions: positions.taken(),
    indices: indices.taken(),
    material: material === -1 ? undefined : material,
  }));

const materialAt = (groups: ReadonlyMap<string, number>, group: string | undefined, index: string | undefined) => {
  const first = groups.get(group ?? "");
  return first === undefined ? undefined : first + Number(index ?? 0);
};

const colorOf = (text = "#FFFFFF"): Material["color"] => {
  const [red = 1, green = 1, blue = 1, alpha = 1] = (text.match(/[0-9a-f]{2}/gi) ?? []).map(
    (byte) => Number.parseInt(byte, 16) / 255,
  );
  return [linear(red), linear(green), linear(blue), alpha];
};

/** Twelve numbers in row-major order for row vectors, which is column-major order for column vectors. */
const matrixOf = (text: string | undefined): Matrix => {
  const numbers = text?.trim().split(/\s+/).map(Number) ?? [];
  if (numbers.length !== 12 || !numbers.every(Number.isFinite)) {
    return IDENTITY;
  }
  return [0, 3, 6, 9].flatMap((row) => [...numbers.slice(row, row + 3), row === 9 ? 1 : 0]);
};

const DEPTH_MAX = 50;

/** The objects built so far. */
interface Built {
  readonly meshes: Mesh[];
  parts: number;
  triangles: number;
  vertices: number;
}

const place = (
  found: Package,
  { key, matrix, depth }: { key: string; matrix: Matrix; depth: number },
  built: Built,
): void => {
  built.parts += 1;
  checkParts(built.parts);
  const object = found.objects.get(key);
  if (object === undefined || depth > DEPTH_MAX) {
    throw new JobError(
      "source_corrupt",
      "A 3MF build item refers to an object that does not exist or is nested too deeply.",
    );
  }
  for (const mesh of object.meshes) {
    built.triangles += mesh.indices.length / 3;
    built.vertices += mesh.positions.length / 3;
    checkSize(built.triangles, built.vertices);
    built.meshes.push(movedMesh(mesh, matrix));
  }
  for (const component of object.components) {
    const inner = { key: `${component.path} ${component.object}`, matrix: multiplied(matrix, component.matrix) };
    place(found, { ...inner, depth: depth + 1 }, built);
  }
};
