import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";

/** Formats that are read as triangles; they convert directly into each other. */
const MESHES = ["glb", "gltf", "obj", "stl", "ply", "3mf"] as const satisfies readonly FormatId[];

const into = (to: FormatId, costMs: number): ConversionRow => ({
  from: MESHES.filter((format) => format !== to),
  to,
  fidelity: "lossless",
  options: [],
  costMs,
});

/** Triangle meshes. */
export const meshConversions: readonly ConversionRow[] = [
  into("glb", 300),
  into("gltf", 300),
  into("obj", 500),
  into("stl", 300),
  into("ply", 300),
  into("3mf", 500),
  into("usdz", 500),
];
