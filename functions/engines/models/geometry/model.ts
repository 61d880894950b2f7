import {
  MODEL_MESHES_MAX,
  MODEL_PARTS_MAX,
  MODEL_TRIANGLES_MAX,
  MODEL_VERTICES_MAX,
} from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";

/**
 * A triangle model: the output of all readers and the input of all writers. Transformations are applied to the
 * vertices.
 */
export interface Model {
  readonly meshes: readonly Mesh[];
  readonly materials: readonly Material[];
  /** Encoded images, unchanged from the source. */
  readonly pictures: readonly Picture[];
}

/** Triangles of one material, three indices each, counterclockwise as seen from outside. */
export interface Mesh {
  readonly name: string;
  /** x, y, z of each vertex. */
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  /** x, y, z of each vertex; without normals, faces are flat-shaded. */
  readonly normals?: Float32Array | undefined;
  /** u, v of each vertex, from the upper-left corner of the image, as in glTF. */
  readonly uvs?: Float32Array | undefined;
  /** Red, green, blue, alpha of each vertex, 0 to 1, linear. */
  readonly colors?: Float32Array | undefined;
  /** Index into the model's materials. */
  readonly material?: number | undefined;
}

/** A material (glTF 2.0, section 3.9). */
export interface Material {
  readonly name: string;
  /** Red, green, blue, alpha, 0 to 1, linear. */
  readonly color: readonly [number, number, number, number];
  readonly metallic: number;
  readonly roughness: number;
  readonly doubleSided: boolean;
  /** Index of the color texture in the model's images. */
  readonly picture?: number | undefined;
}

export interface Picture {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** @returns a material of one color, neither metallic nor mirroring */
export const plainMaterial = (name: string, color: Material["color"]): Material => ({
  name,
  color,
  metallic: 0,
  roughness: 0.8,
  doubleSided: false,
});

export const WHITE: Material["color"] = [1, 1, 1, 1];

/** @returns the number of triangles of all meshes */
export const trianglesOf = ({ meshes }: Pick<Model, "meshes">): number =>
  meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0);

/**
 * @returns the model, if it is valid
 * @throws JobError `source_corrupt` without triangles, with indices out of range, or with vertices that are not finite
 * numbers; `output_too_large` above the limits
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
      throw new JobError("source_corrupt", `The ${source} has faces with vertices that do not exist.`);
    }
    if (!positions.every(Number.isFinite)) {
      throw new JobError("source_corrupt", `The ${source} has invalid vertex coordinates.`);
    }
  }
  return model;
};

/** @throws JobError `output_too_large` above {@link MODEL_TRIANGLES_MAX} or {@link MODEL_VERTICES_MAX} */
export const checkSize = (triangles: number, vertices: number): void => {
  if (triangles > MODEL_TRIANGLES_MAX || vertices > MODEL_VERTICES_MAX) {
    throw new JobError(
      "output_too_large",
      `The model has ${triangles} triangles and ${vertices} vertices; the limits are ${MODEL_TRIANGLES_MAX} and ${MODEL_VERTICES_MAX}.`,
    );
  }
};

/**
 * @param count parts placed so far, counting each instance
 * @throws JobError `output_too_large` above {@link MODEL_PARTS_MAX}
 */
export const checkParts = (count: number): void => {
  if (count > MODEL_PARTS_MAX) {
    throw new JobError("output_too_large", `The model has more than ${MODEL_PARTS_MAX} parts.`);
  }
};

/**
 * @param count meshes created so far
 * @throws JobError `output_too_large` above {@link MODEL_MESHES_MAX}
 */
export const checkMeshes = (count: number): void => {
  if (count > MODEL_MESHES_MAX) {
    throw new JobError("output_too_large", `The model has more than ${MODEL_MESHES_MAX} meshes.`);
  }
};

/** @returns the linear value of an sRGB value, both 0 to 1 (IEC 61966-2-1) */
export const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** @returns the sRGB value of a linear value, both 0 to 1 */
export const gamma = (value: number): number =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * Math.min(1, value) ** (1 / 2.4) - 0.055;

/** @returns a linear value as an sRGB byte */
export const byteOf = (value: number): number => Math.round(255 * Math.min(1, Math.max(0, gamma(value))));
