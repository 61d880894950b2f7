import type { Mesh } from "../geometry/model.ts";

/** A 4 × 4 transformation matrix in column-major order, as in glTF. */
export type Matrix = readonly number[];

export const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** @returns the transformation that applies the second one first */
export const multiplied = (first: Matrix, second: Matrix): Matrix =>
  Array.from({ length: 16 }, (_, index) =>
    [0, 1, 2, 3].reduce(
      (sum, at) => sum + (first[at * 4 + (index % 4)] ?? 0) * (second[index - (index % 4) + at] ?? 0),
      0,
    ),
  );

/** A node's transformation relative to its parent (glTF 2.0, section 3.5.2): a matrix, or its three components. */
interface Placed {
  readonly matrix?: readonly number[] | undefined;
  readonly translation?: readonly number[] | undefined;
  readonly rotation?: readonly number[] | undefined;
  readonly scale?: readonly number[] | undefined;
}

/** @returns the transformation of a node */
export const matrixOf = ({ matrix, translation = [], rotation = [], scale = [] }: Placed): Matrix => {
  if (matrix !== undefined) {
    return matrix;
  }
  const [x = 0, y = 0, z = 0, w = 1] = rotation;
  const [sizeX = 1, sizeY = 1, sizeZ = 1] = scale;
  const [toX = 0, toY = 0, toZ = 0] = translation;
  return [
    ...[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)].map((value) => value * sizeX),
    0,
    ...[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)].map((value) => value * sizeY),
    0,
    ...[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)].map((value) => value * sizeZ),
    0,
    toX,
    toY,
    toZ,
    1,
  ];
};

/** @returns the transformed mesh; a mirroring transformation reverses the faces, so that they still face outward */
export const movedMesh = (mesh: Mesh, matrix: Matrix): Mesh => {
  if (IDENTITY.every((value, index) => value === matrix[index])) {
    return mesh;
  }
  const [a = 0, b = 0, c = 0, , d = 0, e = 0, f = 0, , g = 0, h = 0, i = 0, , x = 0, y = 0, z = 0] = matrix;
  // The transformation of normals: the cofactor matrix, which is the inverse transpose up to a factor.
  const cofactors = [
    e * i - f * h,
    f * g - d * i,
    d * h - e * g,
    c * h - b * i,
    a * i - c * g,
    b * g - a * h,
    b * f - c * e,
    c * d - a * f,
    a * e - b * d,
  ];
  const mirrors = a * (cofactors[0] ?? 0) + b * (cofactors[1] ?? 0) + c * (cofactors[2] ?? 0) < 0;
  const sign = mirrors ? -1 : 1;
  const turned = cofactors.map((value) => value * sign);
  return {
    ...mesh,
    positions: applied(mesh.positions, [a, b, c, d, e, f, g, h, i], [x, y, z]),
    normals: mesh.normals && applied(mesh.normals, turned, [0, 0, 0]),
    indices: mirrors ? flipped(mesh.indices) : mesh.indices,
  };
};

const applied = (vectors: Float32Array, columns: readonly number[], move: readonly number[]): Float32Array => {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = columns;
  const [toX = 0, toY = 0, toZ = 0] = move;
  const result = new Float32Array(vectors.length);
  for (let at = 0; at < vectors.length; at += 3) {
    const [x, y, z] = [vectors[at] ?? 0, vectors[at + 1] ?? 0, vectors[at + 2] ?? 0];
    result[at] = a * x + d * y + g * z + toX;
    result[at + 1] = b * x + e * y + h * z + toY;
    result[at + 2] = c * x + f * y + i * z + toZ;
  }
  return result;
};

const flipped = (indices: Uint32Array): Uint32Array => {
  const result = Uint32Array.from(indices);
  for (let at = 0; at + 2 < result.length; at += 3) {
    [result[at + 1], result[at + 2]] = [indices[at + 2] ?? 0, indices[at + 1] ?? 0];
  }
  return result;
};
