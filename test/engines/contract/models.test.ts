import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Box3, Color, Mesh, type Object3D, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { OBJLoader } from "three/examples/jsm/loaders/OBJLoader.js";
import { PLYLoader } from "three/examples/jsm/loaders/PLYLoader.js";
import { STLLoader } from "three/examples/jsm/loaders/STLLoader.js";
import { expect } from "vitest";
import { type FormatId, formatOf } from "../../../functions/domain/formats/formats.ts";
import { facesOf3mf, facesOfUsdz } from "../support/faces.ts";
import { BLUE, BOX_SIZE, BOX_TRIANGLES, RED } from "../support/processes/box.ts";
import { withTool } from "../support/tools.ts";
import { type Check, contract } from "./contract.ts";

/** A triangle as a reader returns it: three vertices and its color there, in sRGB bytes. */
export interface Face {
  readonly vertices: readonly (readonly [number, number, number])[];
  readonly color: readonly number[] | undefined;
}

/** @returns the triangles of a three.js scene */
const facesOfScene = (scene: Object3D): Face[] => {
  const faces: Face[] = [];
  scene.updateMatrixWorld(true);
  scene.traverse((object) => {
    if (!(object instanceof Mesh)) {
      return;
    }
    const { position, color: vertexColor } = object.geometry.attributes;
    const index = object.geometry.index;
    const looks = object.material;
    for (let at = 0; at < (index?.count ?? position.count); at += 3) {
      const vertices = [0, 1, 2].map((part) => index?.getX(at + part) ?? at + part);
      const [first = 0] = vertices;
      const mixed = new Color(1, 1, 1).multiply(looks.color ?? new Color(1, 1, 1));
      const color =
        vertexColor === undefined
          ? mixed
          : mixed.multiply(new Color(vertexColor.getX(first), vertexColor.getY(first), vertexColor.getZ(first)));
      faces.push({
        vertices: vertices.map((vertex) => {
          const { x, y, z } = new Vector3().fromBufferAttribute(position, vertex).applyMatrix4(object.matrixWorld);
          return [x, y, z] as const;
        }),
        color: color
          .convertLinearToSRGB()
          .toArray()
          .map((value) => Math.round(value * 255)),
      });
    }
  });
  return faces;
};

// three.js reports its progress with an event that exists only in browsers.
Object.assign(globalThis, { ProgressEvent: Event });

const bufferOf = (path: string): ArrayBuffer => Uint8Array.from(readFileSync(path)).buffer;

/** Readers other than those that wrote the results. */
const readers: Partial<Record<FormatId, (path: string) => Promise<Face[]> | Face[]>> = {
  glb: async (path) => facesOfScene((await new GLTFLoader().parseAsync(bufferOf(path), "")).scene),
  gltf: async (path) => facesOfScene((await new GLTFLoader().parseAsync(readFileSync(path, "utf8"), "")).scene),
  obj: (path) => facesOfScene(new OBJLoader().parse(readFileSync(path, "utf8"))),
  stl: (path) => facesOfScene(new Mesh(new STLLoader().parse(bufferOf(path)))),
  ply: (path) => facesOfScene(new Mesh(new PLYLoader().parse(bufferOf(path)))),
  "3mf": facesOf3mf,
  usdz: facesOfUsdz,
};

/** @returns the volume enclosed by the faces: positive if they are counterclockwise from outside */
const volumeOf = (faces: readonly Face[]): number =>
  faces.reduce((sum, { vertices: [a = [0, 0, 0], b = [0, 0, 0], c = [0, 0, 0]] }) => {
    return sum + new Vector3(...a).dot(new Vector3(...b).cross(new Vector3(...c))) / 6;
  }, 0);

/** Samples whose format has colors or vertex colors, and results that preserve them. */
const COLORED_IN: ReadonlySet<FormatId> = new Set([
  "glb",
  "gltf",
  "obj",
  "ply",
  "3mf",
  "step",
  "fbx",
  "dae",
  "3ds",
  "x3d",
]);
const COLORED_OUT: ReadonlySet<FormatId> = new Set(["glb", "gltf", "obj", "ply"]);
/** Formats with material colors; vertex colors are lost. */
const BY_MATERIAL: ReadonlySet<FormatId> = new Set(["glb", "gltf", "3mf", "step", "fbx", "dae", "3ds", "x3d"]);

const sameBox: Check = async ({ path, from, to, codes }) => {
  const faces = (await readers[to]?.(path)) ?? [];
  expect(faces).toHaveLength(BOX_TRIANGLES);
  const box = new Box3().setFromPoints(
    faces.flatMap(({ vertices }) => vertices.map((vertex) => new Vector3(...vertex))),
  );
  expect(box.min.toArray().map((value) => Math.abs(Math.round(value * 1e4)))).toEqual([0, 0, 0]);
  expect(box.max.toArray().map((value) => Math.round(value * 1e4) / 1e4)).toEqual(BOX_SIZE);
  expect(volumeOf(faces)).toBeCloseTo(
    BOX_SIZE.reduce((product, size) => product * size, 1),
    3,
  );
  const hasColors =
    (COLORED_OUT.has(to) && COLORED_IN.has(from)) || (["3mf", "usdz"].includes(to) && BY_MATERIAL.has(from));
  if (hasColors) {
    for (const { vertices, color } of faces) {
      const isEnd = new Set(vertices.map(([, , z]) => Math.round(z))).size === 1;
      expect(color, "red ends, blue sides").toEqual(isEnd ? RED : BLUE);
    }
  }
  const solid = ["step", "iges"].includes(from);
  expect(codes).toEqual(solid ? ["units_assumed"] : []);
  checkByAssimp(path, to);
};

/** Without 3MF and USDZ, which Debian's version supports only partially or not at all. */
const ASSIMP: ReadonlySet<FormatId> = new Set(["glb", "gltf", "obj", "stl", "ply"]);

const checkByAssimp = (path: string, to: FormatId): void => {
  if (ASSIMP.has(to) && withTool("assimp")) {
    const report = execFileSync("assimp", ["info", path], { encoding: "utf8" });
    expect(report, `assimp reads the ${formatOf(to).name}`).toMatch(new RegExp(`Faces:\\s+${BOX_TRIANGLES}\\b`));
  }
};

contract("model", Object.fromEntries(Object.keys(readers).map((to) => [to, sameBox])));
