/** The model of all samples: a box of 2 × 3 × 4 with red ends and blue sides. */

export const BOX_SIZE = [2, 3, 4] as const;
export const BOX_TRIANGLES = 12;
export const BOX_NAME = "Würfel 箱";

/** Vertices; the bits of each number are x, y, z. */
export const BOX_VERTICES = Array.from({ length: 8 }, (_, vertex) =>
  BOX_SIZE.map((size, axis) => (((vertex >> axis) & 1) === 1 ? size : 0)),
);

/** Faces by vertex, counterclockwise from outside: both ends, then the sides. */
export const BOX_FACES = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
] as const;

/** Number of red faces, starting with the first. */
export const BOX_RED_FACES = 2;

export const RED = [255, 0, 0] as const;
export const BLUE = [0, 0, 255] as const;
