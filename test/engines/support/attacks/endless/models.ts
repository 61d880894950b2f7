import { type Attack, attack, repeated, withMember } from "../attack.ts";

/** Models that require endless work: nested parts, and faces with more vertices than a model has. */

const triangle = Buffer.from(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer).toString("base64");
const gltf = (more: object): string =>
  JSON.stringify({
    asset: { version: "2.0" },
    buffers: [{ byteLength: 36, uri: `data:application/octet-stream;base64,${triangle}` }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3" }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    ...more,
  });

export const models: readonly Attack[] = [
  attack("gltf", ["glb", "obj"], "nodes that share their children", () =>
    gltf({
      nodes: [...Array.from({ length: 60 }, (_, index) => ({ children: [index + 1, index + 1] })), { mesh: 0 }],
      scenes: [{ nodes: [0] }],
    }),
  ),
  attack("gltf", ["obj"], "nodes that share their children, without a shape", () =>
    gltf({
      nodes: [...Array.from({ length: 60 }, (_, index) => ({ children: [index + 1, index + 1] })), {}],
      scenes: [{ nodes: [0] }],
    }),
  ),
  attack("gltf", ["obj"], "4 billion positions without data", () =>
    gltf({ accessors: [{ componentType: 5126, count: 4e9, type: "VEC3" }], nodes: [{ mesh: 0 }] }),
  ),
  attack("gltf", ["obj", "stl"], "300,000 copies of a shape", () =>
    gltf({ meshes: [{ primitives: Array(300_000).fill({ attributes: { POSITION: 0 } }) }], nodes: [{ mesh: 0 }] }),
  ),
  attack("3mf", ["glb"], "nested parts", () =>
    withMember("3mf", "3D/3dmodel.model", () => {
      const mesh =
        '<object id="1"><mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/></vertices><triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh></object>';
      const parts = repeated(
        (n) => `<object id="${n + 1}"><components>${`<component objectid="${n}"/>`.repeat(10)}</components></object>`,
        30,
      );
      return `<model xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>${mesh}${parts}</resources><build><item objectid="31"/></build></model>`;
    }),
  ),
  attack("3mf", ["glb"], "a part that contains itself", () =>
    withMember(
      "3mf",
      "3D/3dmodel.model",
      () =>
        '<model><resources><object id="1"><components><component objectid="1"/></components></object></resources><build><item objectid="1"/></build></model>',
    ),
  ),
  attack(
    "obj",
    ["glb"],
    "a face with 200,000 vertices",
    () => `v 0 0 0\nv 1 0 0\nv 0 1 0\nf ${"1 2 3 ".repeat(70_000)}\n`,
  ),
  attack(
    "obj",
    ["glb"],
    "a face with 30,000 distinct vertices",
    () => `${repeated((n) => `v ${Math.cos(n)} ${Math.sin(n)} 0\n`, 30_000)}f ${repeated((n) => `${n} `, 30_000)}\n`,
  ),
];
