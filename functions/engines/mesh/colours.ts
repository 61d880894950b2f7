import type { Mesh, Model } from "../io/model.ts";

/**
 * @returns red, green, blue and alpha of each vertex, linear: its own colour times that of its material; undefined where
 * all of the model is white
 */
export const vertexColoursOf = (model: Model, mesh: Mesh): Float32Array | undefined => {
  if (model.meshes.every((other) => other.colours === undefined && isWhite(model, other))) {
    return undefined;
  }
  const colour = model.materials[mesh.material ?? -1]?.colour ?? [1, 1, 1, 1];
  return Float32Array.from(
    { length: (mesh.positions.length / 3) * 4 },
    (_, at) => (mesh.colours?.[at] ?? 1) * (colour[at % 4] ?? 1),
  );
};

const isWhite = ({ materials }: Model, { material }: Mesh): boolean =>
  materials[material ?? -1]?.colour.every((value) => value === 1) ?? true;
