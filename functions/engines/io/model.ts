import {
  MODEL_MESHES_MAX,
  MODEL_PARTS_MAX,
  MODEL_TRIANGLES_MAX,
  MODEL_VERTICES_MAX,
} from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";

/** A model as triangles: what all readers make and all writers take. Transformations are applied to the corners. */
export interface Model {
  readonly meshes: readonly Mesh[];
  readonly materials: readonly Material[];
  /** Encoded pictures, as they stood in the source. */
  readonly pictures: readonly Picture[];
}

/** Triangles of one material, three indices each, running counterclockwise as seen from outside. */
export interface Mesh {
  readonly name: string;
  /** x, y, z of each vertex. */
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  /** x, y, z of each vertex; without them faces are flat. */
  readonly normals?: Float32Array | undefined;
  /** u, v of each vertex, from the upper left corner of the picture as in glTF. */
  readonly uvs?: Float32Array | undefined;
  /** Red, green, blue, alpha of each vertex, 0 to 1, linear. */
  readonly colours?: Float32Array | undefined;
  /** Which of the model's materials. */
  readonly material?: number | undefined;
}

/** How a surface looks (glTF 2.0, section 3.9). */
export interface Material {
  readonly name: string;
  /** Red, green, blue, alpha, 0 to 1, linear. */
  readonly colour: readonly [number, number, number, number];
  readonly metallic: number;
  readonly roughness: number;
  readonly doubleSided: boolean;
  /** Which of the model's pictures gives the colour. */
  readonly picture?: number | undefined;
}

export interface Picture {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** @returns a material of one colour, neither metal nor mirror */
export const plainMaterial = (name: string, colour: Material["colour"]): Material => ({
  name,
  colour,
  metallic: 0,
  roughness: 0.8,
  doubleSided: false,
});

export const WHITE: Material["colour"] = [1, 1, 1, 1];

/** @returns the number of triangles of all meshes */
export const trianglesOf = ({ meshes }: Pick<Model, "meshes">): number =>
  meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0);

/**
 * @returns the model, when it is one
 * @throws JobError `source_corrupt` without a triangle, with indices that point nowhere, or corners that are no numbers;
 * `output_too_large` above the limits
 */
export const checkedModel = (model: Model, source: string): Model => {
  checkMeshes(model.meshes.length);
  checkSize(
    trianglesOf(model),
    model.meshes.reduce((sum, { positions }) => sum + positions.length / 3, 0),
  );
  if (trianglesOf(model) === 0) {
    throw new JobError("source_corrupt", `The ${source} has no faces.`);
  }
  for (const { positions, indices } of model.meshes) {
    const count = positions.length / 3;
    if (indices.some((index) => index >= count)) {
      throw new JobError("source_corrupt", `The ${source} has faces with corners that do not exist.`);
    }
    if (!positions.every(Number.isFinite)) {
      throw new JobError("source_corrupt", `The ${source} has corners whose coordinates are no numbers.`);
    }
  }
  return model;
};

/** @throws JobError `output_too_large` above {@link MODEL_TRIANGLES_MAX} or {@link MODEL_VERTICES_MAX} */
export const checkSize = (triangles: number, vertices: number): void => {
  if (triangles > MODEL_TRIANGLES_MAX || vertices > MODEL_VERTICES_MAX) {
    throw new JobError(
      "output_too_large",
      `The model has ${triangles} triangles and ${vertices} corners; at most ${MODEL_TRIANGLES_MAX} and ${MODEL_VERTICES_MAX} are allowed.`,
    );
  }
};

/**
 * @param count parts that were placed so far, each as often as it is
 * @throws JobError `output_too_large` above {@link MODEL_PARTS_MAX}
 */
export const checkParts = (count: number): void => {
  if (count > MODEL_PARTS_MAX) {
    throw new JobError("output_too_large", `The model is put together from over ${MODEL_PARTS_MAX} parts.`);
  }
};

/**
 * @param count shapes that were made so far
 * @throws JobError `output_too_large` above {@link MODEL_MESHES_MAX}
 */
export const checkMeshes = (count: number): void => {
  if (count > MODEL_MESHES_MAX) {
    throw new JobError("output_too_large", `The model has over ${MODEL_MESHES_MAX} shapes.`);
  }
};

/** @returns a value of sRGB as a linear one, both 0 to 1 (IEC 61966-2-1) */
export const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** @returns a linear value as one of sRGB, both 0 to 1 */
export const gamma = (value: number): number =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * Math.min(1, value) ** (1 / 2.4) - 0.055;

/** @returns a linear value as a byte of sRGB */
export const byteOf = (value: number): number => Math.round(255 * Math.min(1, Math.max(0, gamma(value))));
