import type { ConversionRow } from "../conversion.ts";
import type { FormatId } from "../formats.ts";

/** What is read as triangles; each turns into each other without a way through a third. */
const MESHES = ["glb", "gltf", "obj", "stl", "ply", "off", "3mf"] as const satisfies readonly FormatId[];
/** 3DS is only read. */
const others = (target: FormatId): FormatId[] => ["3ds" as const, ...MESHES].filter((format) => format !== target);

const byMesh = (to: FormatId, row: Pick<ConversionRow, "fidelity" | "costMs">): ConversionRow => ({
  from: others(to),
  to,
  engine: "mesh",
  options: [],
  ...row,
});

export const modelConversions: readonly ConversionRow[] = [
  byMesh("glb", { fidelity: "lossless", costMs: 300 }),
  byMesh("gltf", { fidelity: "lossless", costMs: 300 }),
  byMesh("obj", { fidelity: "lossless", costMs: 500 }),
  byMesh("stl", { fidelity: "lossless", costMs: 300 }),
  byMesh("ply", { fidelity: "lossless", costMs: 300 }),
  byMesh("off", { fidelity: "lossless", costMs: 400 }),
  byMesh("3mf", { fidelity: "lossless", costMs: 500 }),
  byMesh("usdz", { fidelity: "lossless", costMs: 500 }),
  {
    from: ["fbx"],
    to: "glb",
    engine: "three",
    fidelity: "lossless",
    options: [],
    costMs: 400,
    drops: ["pictures", "frames"],
  },
  // Surfaces become triangles. Of Open CASCADE's own BREP, a file that breaks off is read for ever.
  { from: ["step", "iges"], to: "glb", engine: "occt", fidelity: "lossy", options: [], costMs: 1_000 },
];
