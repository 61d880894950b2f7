import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Box3, Color, Mesh, type Object3D, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { OBJLoader } from "three/examples/jsm/loaders/OBJLoader.js";
import { PLYLoader } from "three/examples/jsm/loaders/PLYLoader.js";
import { STLLoader } from "three/examples/jsm/loaders/STLLoader.js";
import { expect } from "vitest";
import { type FormatId, formatOf } from "../../../functions/domain/formats.ts";
import { BLUE, BOX_SIZE, BOX_TRIANGLES, RED } from "../support/box.ts";
import { facesOf3mf, facesOfOff, facesOfUsdz } from "../support/faces.ts";
import { withTool } from "../support/tools.ts";
import { type Check, contract } from "./contract.ts";

/** A triangle as a reader shows it: three corners, and the colour that it has there, by byte of sRGB. */
export interface Face {
  readonly corners: readonly (readonly [number, number, number])[];
  readonly colour: readonly number[] | undefined;
}

/** @returns the triangles of a scene of three.js */
const facesOfScene = (scene: Object3D): Face[] => {
  const faces: Face[] = [];
  scene.updateMatrixWorld(true);
  scene.traverse((object) => {
    if (!(object instanceof Mesh)) {
      return;
    }
    const { position, color } = object.geometry.attributes;
    const index = object.geometry.index;
    const looks = object.material;
    for (let at = 0; at < (index?.count ?? position.count); at += 3) {
      const corners = [0, 1, 2].map((part) => index?.getX(at + part) ?? at + part);
      const [first = 0] = corners;
      const mixed = new Color(1, 1, 1).multiply(looks.color ?? new Color(1, 1, 1));
      const colour =
        color === undefined
          ? mixed
          : mixed.multiply(new Color(color.getX(first), color.getY(first), color.getZ(first)));
      faces.push({
        corners: corners.map((corner) => {
          const { x, y, z } = new Vector3().fromBufferAttribute(position, corner).applyMatrix4(object.matrixWorld);
          return [x, y, z] as const;
        }),
        colour: colour
          .convertLinearToSRGB()
          .toArray()
          .map((value) => Math.round(value * 255)),
      });
    }
  });
  return faces;
};

// three.js tells a page of its progress, with an event that only pages have.
Object.assign(globalThis, { ProgressEvent: Event });

const bufferOf = (path: string): ArrayBuffer => Uint8Array.from(readFileSync(path)).buffer;

/** Other readers than those that made the results. */
const readers: Partial<Record<FormatId, (path: string) => Promise<Face[]> | Face[]>> = {
  glb: async (path) => facesOfScene((await new GLTFLoader().parseAsync(bufferOf(path), "")).scene),
  gltf: async (path) => facesOfScene((await new GLTFLoader().parseAsync(readFileSync(path, "utf8"), "")).scene),
  obj: (path) => facesOfScene(new OBJLoader().parse(readFileSync(path, "utf8"))),
  stl: (path) => facesOfScene(new Mesh(new STLLoader().parse(bufferOf(path)))),
  ply: (path) => facesOfScene(new Mesh(new PLYLoader().parse(bufferOf(path)))),
  off: facesOfOff,
  "3mf": facesOf3mf,
  usdz: facesOfUsdz,
};

/** @returns the volume that the faces enclose: positive when they run counterclockwise as seen from outside */
const volumeOf = (faces: readonly Face[]): number =>
  faces.reduce((sum, { corners: [a = [0, 0, 0], b = [0, 0, 0], c = [0, 0, 0]] }) => {
    return sum + new Vector3(...a).dot(new Vector3(...b).cross(new Vector3(...c))) / 6;
  }, 0);

/** Samples whose format has colours, or colours at the corners, and results that carry them. */
const COLOURED_IN: ReadonlySet<FormatId> = new Set(["glb", "gltf", "obj", "ply", "3mf", "step", "fbx", "3ds"]);
const COLOURED_OUT: ReadonlySet<FormatId> = new Set(["glb", "gltf", "obj", "ply"]);
/** Their colours are those of materials; the corners' own are left out. */
const BY_MATERIAL: ReadonlySet<FormatId> = new Set(["glb", "gltf", "3mf", "step", "fbx", "3ds"]);

const sameBox: Check = async ({ path, from, to, codes }) => {
  const faces = (await readers[to]?.(path)) ?? [];
  expect(faces).toHaveLength(BOX_TRIANGLES);
  const box = new Box3().setFromPoints(faces.flatMap(({ corners }) => corners.map((corner) => new Vector3(...corner))));
  expect(box.min.toArray().map((value) => Math.abs(Math.round(value * 1e4)))).toEqual([0, 0, 0]);
  expect(box.max.toArray().map((value) => Math.round(value * 1e4) / 1e4)).toEqual(BOX_SIZE);
  expect(volumeOf(faces)).toBeCloseTo(
    BOX_SIZE.reduce((product, size) => product * size, 1),
    3,
  );
  const hasColours =
    (COLOURED_OUT.has(to) && COLOURED_IN.has(from)) || (["3mf", "usdz"].includes(to) && BY_MATERIAL.has(from));
  if (hasColours) {
    for (const { corners, colour } of faces) {
      const isEnd = new Set(corners.map(([, , z]) => Math.round(z))).size === 1;
      expect(colour, "the ends are red, the sides blue").toEqual(isEnd ? RED : BLUE);
    }
  }
  const solid = ["step", "iges"].includes(from);
  expect(codes).toEqual(solid ? ["units_assumed"] : []);
  checkByAssimp(path, to);
};

/** Not 3MF and USDZ, which Debian's version does not read or reads in part. */
const ASSIMP: ReadonlySet<FormatId> = new Set(["glb", "gltf", "obj", "stl", "ply", "off"]);

const checkByAssimp = (path: string, to: FormatId): void => {
  if (ASSIMP.has(to) && withTool("assimp")) {
    const told = execFileSync("assimp", ["info", path], { encoding: "utf8" });
    expect(told, `assimp reads the ${formatOf(to).name}`).toMatch(new RegExp(`Faces:\\s+${BOX_TRIANGLES}\\b`));
  }
};

contract("model", Object.fromEntries(Object.keys(readers).map((to) => [to, sameBox])));
