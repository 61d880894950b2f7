import type { Mesh, Model } from "../geometry/model.ts";

/**
 * @returns red, green, blue and alpha of each vertex, linear: the vertex color times the material's color; undefined
 * when the complete model is white
 */
export const vertexColorsOf = (model: Model, mesh: Mesh): Float32Array | undefined => {
  if (model.meshes.every((other) => other.colors === undefined && isWhite(model, other))) {
    return undefined;
  }
  const color = model.materials[mesh.material ?? -1]?.color ?? [1, 1, 1, 1];
  return Float32Array.from(
    { length: (mesh.positions.length / 3) * 4 },
    (_, at) => (mesh.colors?.[at] ?? 1) * (color[at % 4] ?? 1),
  );
};

const isWhite = ({ materials }: Model, { material }: Mesh): boolean =>
  materials[material ?? -1]?.color.every((value) => value === 1) ?? true;
