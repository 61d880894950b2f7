import { readFileSync } from "node:fs";
import { XMLParser } from "fast-xml-parser";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";

/** Small model readers that check what other code wrote. */

interface Face {
  readonly vertices: readonly (readonly [number, number, number])[];
  readonly color: readonly number[] | undefined;
}

const three = (values: readonly number[] = []): readonly [number, number, number] => [
  values[0] ?? Number.NaN,
  values[1] ?? Number.NaN,
  values[2] ?? Number.NaN,
];

const list = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T];

type Attributes = Readonly<Record<string, string>>;
type Object3mf = Attributes & {
  mesh: { vertices: { vertex: Attributes[] }; triangles: { triangle: Attributes | Attributes[] } };
};

export const facesOf3mf = (path: string): Promise<Face[]> =>
  readZip(path, async (zip) => {
    const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" });
    const { model } = parser.parse((await zip.read("3D/3dmodel.model")) ?? "");
    const bases: readonly Attributes[] = list<Attributes>(model.resources.basematerials?.base);
    return list<Object3mf>(model.resources.object).flatMap(({ pindex, mesh }) =>
      list(mesh.triangles.triangle).map(({ v1, v2, v3 }) => ({
        vertices: [v1, v2, v3].map((vertex) => {
          const { x, y, z } = mesh.vertices.vertex[Number(vertex)] ?? {};
          return three([Number(x), Number(y), Number(z)]);
        }),
        color: bases[Number(pindex)]?.displaycolor
          ?.match(/[0-9A-F]{2}/g)
          ?.slice(0, 3)
          .map((byte) => Number.parseInt(byte, 16)),
      })),
    );
  });

/** Members must be stored at multiples of 64 bytes (USDZ File Format Specification, "Layout"). */
export const facesOfUsdz = async (path: string): Promise<Face[]> => {
  const bytes = readFileSync(path);
  const start = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  if (start % 64 !== 0 || bytes.readUInt16LE(8) !== 0) {
    throw new Error("The layer is not stored at a multiple of 64 bytes.");
  }
  const text = await readZip(path, async (zip) => ((await zip.read("model.usda")) ?? "").toString());
  const colors = Array.from(text.matchAll(/inputs:diffuseColor = \(([^)]*)\)/g), ([, values = ""]) =>
    values.split(", ").map((value) => Math.round(Number(value) * 255)),
  );
  return Array.from(text.matchAll(/def Mesh[\s\S]*?\n {4}\}\n/g), ([mesh]) => mesh).flatMap((mesh) => {
    const points = Array.from(/points = \[(.*)\]/.exec(mesh)?.[1]?.matchAll(/\(([^)]*)\)/g) ?? [], ([, values = ""]) =>
      three(values.split(", ").map(Number)),
    );
    const indices = (/faceVertexIndices = \[(.*)\]/.exec(mesh)?.[1] ?? "").split(", ").map(Number);
    const color = colors[Number(/material_(\d+)>/.exec(mesh)?.[1]) - 1];
    return Array.from({ length: indices.length / 3 }, (_, face) => ({
      vertices: [0, 1, 2].map((part) => three(points[indices[face * 3 + part] ?? -1])),
      color,
    }));
  });
};
