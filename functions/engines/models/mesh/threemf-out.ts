import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { writeZip } from "../../archives/zip/writer.ts";
import type { EngineTask } from "../../core/engine.ts";
import { inPieces } from "../../data/text/chunks.ts";
import { xmlAttribute } from "../../data/text/xml.ts";
import { welded } from "../geometry/mesh-builder.ts";
import { byteOf, type Material, type Mesh, type Model } from "../geometry/model.ts";

/**
 * Writes a 3MF (3MF Core Specification 1.3): an object for each mesh, whose triangles share vertices, as slicers
 * expect, and the colors of the materials. Numbers are interpreted as millimeters.
 */
export const write3mf = async (model: Model, { output, folder }: EngineTask): Promise<void> => {
  const part = join(folder, "3dmodel.model");
  await pipeline(() => inPieces(partOf(model)), createWriteStream(part));
  await writeZip(output, [
    { path: "[Content_Types].xml", bytes: TYPES },
    { path: "_rels/.rels", bytes: RELATIONS },
    { path: "3D/3dmodel.model", file: part },
  ]);
};

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

const TYPES = `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>\n`;

const RELATIONS = `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="/3D/3dmodel.model" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>\n`;

/** The id of the material list; the ids of objects follow it. */
const MATERIALS_ID = 1;

const partOf = function* ({ meshes, materials }: Model): Generator<string> {
  yield `${HEAD}<model unit="millimeter" xml:lang="en-US" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">\n<resources>\n`;
  if (materials.length > 0) {
    yield `<basematerials id="${MATERIALS_ID}">\n${materials.map(baseOf).join("")}</basematerials>\n`;
  }
  for (const [index, mesh] of meshes.entries()) {
    yield* objectOf(mesh, index + MATERIALS_ID + 1);
  }
  yield "</resources>\n<build>\n";
  for (const index of meshes.keys()) {
    yield `<item objectid="${index + MATERIALS_ID + 1}"/>\n`;
  }
  yield "</build>\n</model>\n";
};

const baseOf = ({ name, color: [red, green, blue, alpha] }: Material, index: number): string => {
  const bytes = [byteOf(red), byteOf(green), byteOf(blue), Math.round(255 * alpha)];
  const hex = bytes
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
  return `<base name="${xmlAttribute(name || `material ${index + 1}`)}" displaycolor="#${hex}"/>\n`;
};

const objectOf = function* (mesh: Mesh, id: number): Generator<string> {
  const { positions, indices, material } = welded(mesh);
  const looks = material === undefined ? "" : ` pid="${MATERIALS_ID}" pindex="${material}"`;
  yield `<object id="${id}" type="model"${mesh.name === "" ? "" : ` name="${xmlAttribute(mesh.name)}"`}${looks}><mesh>\n<vertices>\n`;
  for (let at = 0; at < positions.length; at += 3) {
    yield `<vertex x="${positions[at]}" y="${positions[at + 1]}" z="${positions[at + 2]}"/>\n`;
  }
  yield "</vertices>\n<triangles>\n";
  for (let at = 0; at < indices.length; at += 3) {
    const [a, b, c] = indices.subarray(at, at + 3);
    // A triangle with a repeated vertex is not allowed (4.1.4), and has no area.
    yield a === b || b === c || a === c ? "" : `<triangle v1="${a}" v2="${b}" v3="${c}"/>\n`;
  }
  yield "</triangles>\n</mesh></object>\n";
};
