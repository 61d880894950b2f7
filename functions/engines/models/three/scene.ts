import type {
  BufferAttribute,
  BufferGeometry,
  InterleavedBufferAttribute,
  Object3D,
  Mesh as Shape,
  Material as SourceMaterial,
} from "three";
import type { Warning } from "../../../domain/warning.ts";
import { checkSize, type Material, type Mesh, type Model } from "../geometry/model.ts";

/** @returns the meshes of a three.js scene, with transformations applied and with the colors of their materials */
export const modelOf = (scene: Object3D): { model: Model; warnings: Warning[] } => {
  const materials: Material[] = [];
  const numbers = new Map<SourceMaterial, number>();
  const lost = new Map<string, string>();
  const numberOf = (source: SourceMaterial | undefined): number | undefined => {
    if (source === undefined) {
      return undefined;
    }
    const known = numbers.get(source) ?? materials.length;
    if (known === materials.length) {
      numbers.set(source, known);
      materials.push(materialOf(source));
      if ("map" in source && source.map !== null) {
        lost.set("textures_dropped", "Textures were removed; only material colors are converted.");
      }
    }
    return known;
  };
  const meshes: Mesh[] = [];
  scene.traverse((object) => {
    if (isShape(object)) {
      meshes.push(...meshesOf(object, numberOf));
      checkSize(
        meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0),
        meshes.reduce((sum, { positions }) => sum + positions.length / 3, 0),
      );
    } else if ("isLine" in object || "isPoints" in object) {
      lost.set("lines_dropped", "Points and lines were removed; only faces are converted.");
    }
  });
  if (scene.animations.length > 0) {
    lost.set("animation_dropped", "Animations were removed; the model is static.");
  }
  return {
    model: { meshes, materials, pictures: [] },
    warnings: [...lost].map(([code, detail]) => ({ code, detail })),
  };
};

const isShape = (object: Object3D): object is Shape => "isMesh" in object;

const materialOf = (source: SourceMaterial): Material => {
  const { name, opacity, side } = source;
  const [red, green, blue] =
    "color" in source && isColor(source.color) ? [source.color.r, source.color.g, source.color.b] : [1, 1, 1];
  // 2 is THREE.DoubleSide.
  return { name, color: [red, green, blue, opacity], metallic: 0, roughness: 0.8, doubleSided: side === 2 };
};

const isColor = (value: unknown): value is { r: number; g: number; b: number } =>
  typeof value === "object" && value !== null && "r" in value && "g" in value && "b" in value;

/** @returns a mesh for each group of triangles with the same material */
const meshesOf = (shape: Shape, numberOf: (source: SourceMaterial | undefined) => number | undefined): Mesh[] => {
  const { geometry, material, name, matrixWorld } = shape;
  const placed: BufferGeometry = geometry.clone().applyMatrix4(matrixWorld);
  const { position, normal, uv, color } = placed.attributes;
  const source = Array.isArray(material) ? material : [material];
  if (position === undefined) {
    return [];
  }
  const count = placed.index?.count ?? position.count;
  const order = Uint32Array.from({ length: count - (count % 3) }, (_, at) => placed.index?.getX(at) ?? at);
  const mirrored = matrixWorld.determinant() < 0;
  const groups = placed.groups.length > 0 ? placed.groups : [{ start: 0, count: order.length, materialIndex: 0 }];
  return groups.map(({ start, count: length, materialIndex = 0 }) => {
    const kept = new Map<number, number>();
    const indices = order.subarray(start, start + length).map((vertex) => {
      const known = kept.get(vertex) ?? kept.size;
      kept.set(vertex, known);
      return known;
    });
    const vertices = [...kept.keys()];
    const uvs = uv && gathered(uv, vertices, 2);
    return {
      name,
      positions: gathered(position, vertices, 3),
      normals: normal && gathered(normal, vertices, 3),
      // Texture coordinates start at the bottom here, and at the top in the model.
      uvs: uvs?.map((value, at) => (at % 2 === 1 ? 1 - value : value)),
      colors: color && gathered(color, vertices, 4),
      indices: mirrored ? turned(indices) : indices,
      material: numberOf(source[materialIndex]),
    };
  });
};

const gathered = (
  attribute: BufferAttribute | InterleavedBufferAttribute,
  vertices: readonly number[],
  size: number,
): Float32Array => {
  const values = new Float32Array(vertices.length * size).fill(1);
  for (const [index, vertex] of vertices.entries()) {
    for (let part = 0; part < Math.min(size, attribute.itemSize); part += 1) {
      values[index * size + part] = attribute.getComponent(vertex, part);
    }
  }
  return values;
};

const turned = (indices: Uint32Array): Uint32Array =>
  indices.map((_, at) => indices[at % 3 === 0 ? at : at % 3 === 1 ? at + 1 : at - 1] ?? 0);
