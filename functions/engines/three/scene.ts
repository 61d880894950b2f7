import type {
  BufferAttribute,
  BufferGeometry,
  InterleavedBufferAttribute,
  Material as Looks,
  Object3D,
  Mesh as Shape,
} from "three";
import type { Warning } from "../../domain/jobs.ts";
import { checkSize, type Material, type Mesh, type Model } from "../io/model.ts";

/** @returns the meshes of a scene of three.js, where they stand in it, with the colours of their materials */
export const modelOf = (scene: Object3D): { model: Model; warnings: Warning[] } => {
  const materials: Material[] = [];
  const numbers = new Map<Looks, number>();
  const lost = new Map<string, string>();
  const numberOf = (looks: Looks | undefined): number | undefined => {
    if (looks === undefined) {
      return undefined;
    }
    const known = numbers.get(looks) ?? materials.length;
    if (known === materials.length) {
      numbers.set(looks, known);
      materials.push(materialOf(looks));
      if ("map" in looks && looks.map !== null) {
        lost.set("textures_dropped", "Pictures on the surfaces were left out; only their colours are taken.");
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
      lost.set("lines_dropped", "Points and lines were left out; only faces are taken.");
    }
  });
  if (scene.animations.length > 0) {
    lost.set("animation_dropped", "Movements were left out; the model stands still.");
  }
  return {
    model: { meshes, materials, pictures: [] },
    warnings: [...lost].map(([code, detail]) => ({ code, detail })),
  };
};

const isShape = (object: Object3D): object is Shape => "isMesh" in object;

const materialOf = (looks: Looks): Material => {
  const { name, opacity, side } = looks;
  const [red, green, blue] =
    "color" in looks && isColour(looks.color) ? [looks.color.r, looks.color.g, looks.color.b] : [1, 1, 1];
  // 2 is THREE.DoubleSide.
  return { name, colour: [red, green, blue, opacity], metallic: 0, roughness: 0.8, doubleSided: side === 2 };
};

const isColour = (value: unknown): value is { r: number; g: number; b: number } =>
  typeof value === "object" && value !== null && "r" in value && "g" in value && "b" in value;

/** @returns a mesh for each run of triangles that has a material of its own */
const meshesOf = (shape: Shape, numberOf: (looks: Looks | undefined) => number | undefined): Mesh[] => {
  const { geometry, material, name, matrixWorld } = shape;
  const placed: BufferGeometry = geometry.clone().applyMatrix4(matrixWorld);
  const { position, normal, uv, color } = placed.attributes;
  const looks = Array.isArray(material) ? material : [material];
  if (position === undefined) {
    return [];
  }
  const count = placed.index?.count ?? position.count;
  const order = Uint32Array.from({ length: count - (count % 3) }, (_, at) => placed.index?.getX(at) ?? at);
  const mirrored = matrixWorld.determinant() < 0;
  const groups = placed.groups.length > 0 ? placed.groups : [{ start: 0, count: order.length, materialIndex: 0 }];
  return groups.map(({ start, count: length, materialIndex = 0 }) => {
    const kept = new Map<number, number>();
    const indices = order.subarray(start, start + length).map((corner) => {
      const known = kept.get(corner) ?? kept.size;
      kept.set(corner, known);
      return known;
    });
    const corners = [...kept.keys()];
    const uvs = uv && gathered(uv, corners, 2);
    return {
      name,
      positions: gathered(position, corners, 3),
      normals: normal && gathered(normal, corners, 3),
      // The picture is measured from below here, and from above in the model.
      uvs: uvs?.map((value, at) => (at % 2 === 1 ? 1 - value : value)),
      colours: color && gathered(color, corners, 4),
      indices: mirrored ? turned(indices) : indices,
      material: numberOf(looks[materialIndex]),
    };
  });
};

const gathered = (
  attribute: BufferAttribute | InterleavedBufferAttribute,
  corners: readonly number[],
  size: number,
): Float32Array => {
  const values = new Float32Array(corners.length * size).fill(1);
  for (const [index, corner] of corners.entries()) {
    for (let part = 0; part < Math.min(size, attribute.itemSize); part += 1) {
      values[index * size + part] = attribute.getComponent(corner, part);
    }
  }
  return values;
};

const turned = (indices: Uint32Array): Uint32Array =>
  indices.map((_, at) => indices[at % 3 === 0 ? at : at % 3 === 1 ? at + 1 : at - 1] ?? 0);
