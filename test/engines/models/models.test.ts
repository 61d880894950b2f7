import { readFileSync } from "node:fs";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { codeOf } from "../support/convert.ts";
import { fixture } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const mesh = convertingBy("mesh", scratch);
/** @returns the vertices and faces of the model, as the lines of an OBJ */
const facesOf = async (path: string, from: FormatId): Promise<string[]> =>
  readFileSync((await mesh(path, [from, "obj"])).path, "utf8")
    .split("\n")
    .filter((line) => /^[vf] /.test(line));
const jsonOf = (path: string) => {
  const bytes = readFileSync(path);
  return JSON.parse(bytes.toString("utf8", 20, 20 + bytes.readUInt32LE(12)));
};
const buffer = (bytes: Uint8Array): object => ({
  byteLength: bytes.length,
  uri: `data:application/octet-stream;base64,${Buffer.from(bytes).toString("base64")}`,
});
/** A glTF with one triangle, plus further properties. */
const triangle = (more: object = {}, primitive: object = {}): string => {
  const bytes = new Uint8Array(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer);
  return scratch.file(
    JSON.stringify({
      asset: { version: "2.0" },
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, ...primitive }] }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3" }],
      bufferViews: [{ buffer: 0, byteLength: 36 }],
      buffers: [buffer(bytes)],
      ...more,
    }),
  );
};

describe("a glTF", () => {
  test("keeps animations, extras and images in a GLB: only the container changes", async () => {
    const pixel = Buffer.from("iVBORw0KGgo=", "base64");
    const more = {
      animations: [{ name: "walk" }],
      extras: { by: "me" },
      images: [{ uri: `data:image/png;base64,${pixel.toString("base64")}` }],
    };
    const { path, codes } = await mesh(triangle(more), ["gltf", "glb"]);
    expect(jsonOf(path)).toMatchObject({ ...more, buffers: [{ byteLength: 36 }] });
    expect(codes).toEqual([]);
    const back = await mesh(path, ["glb", "gltf"]);
    expect(JSON.parse(readFileSync(back.path, "utf8"))).toMatchObject(more);
  });

  test("warns about lost animations and lines", async () => {
    expect((await mesh(triangle({ animations: [{}] }), ["gltf", "stl"])).codes).toEqual(["animation_dropped"]);
    const lines = [{ attributes: { POSITION: 0 }, mode: 1 }, { attributes: { POSITION: 0 } }];
    expect((await mesh(triangle({ meshes: [{ primitives: lines }] }), ["gltf", "stl"])).codes).toEqual([
      "lines_dropped",
    ]);
  });

  test("applies node transformations, and keeps faces outward when mirrored", async () => {
    const node = { mesh: 0, matrix: [-2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 10, 0, 0, 1] };
    expect(await facesOf(triangle({ nodes: [node] }), "gltf")).toEqual(["v 10 0 0", "v 8 0 0", "v 10 2 0", "f 1 3 2"]);
  });

  test("passes its images to other formats unchanged", async () => {
    const picture = readFileSync(fixture("sample.png"));
    const more = {
      images: [{ uri: `data:image/png;base64,${picture.toString("base64")}` }],
      textures: [{ source: 0 }],
      materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    };
    const { path } = await mesh(triangle(more, { material: 0 }), ["gltf", "usdz"]);
    expect(readFileSync(path).includes(picture)).toBe(true);
  });

  test("neither reads external images nor names them in the result", async () => {
    const more = { images: [{ uri: "http://127.0.0.1:9/x.png" }, { uri: "../../etc/passwd" }] };
    for (const target of ["glb", "usdz"] as const) {
      const { path, codes } = await mesh(triangle(more), ["gltf", target]);
      expect(codes).toEqual(["textures_dropped"]);
      expect(readFileSync(path).toString("latin1")).not.toMatch(/127\.0\.0\.1|passwd/);
    }
  });

  test.each([
    ["another file", { buffers: [{ byteLength: 36, uri: "../../etc/passwd" }] }, {}, "unsupported_feature"],
    ["a compressed mesh", {}, { extensions: { KHR_draco_mesh_compression: {} } }, "unsupported_feature"],
    ["an unknown extension", { extensionsRequired: ["EXT_unknown"] }, {}, "unsupported_feature"],
    ["a buffer that is too short", { buffers: [buffer(new Uint8Array(20))] }, {}, "source_corrupt"],
    ["an accessor that exceeds its buffer", { bufferViews: [{ buffer: 0, byteLength: 24 }] }, {}, "source_corrupt"],
    [
      "an excessive number of vertices",
      { accessors: [{ componentType: 5126, count: 4e9, type: "VEC3" }] },
      {},
      "output_too_large",
    ],
    ["a cycle of nodes", { nodes: [{ children: [0], mesh: 0 }] }, {}, "source_corrupt"],
    ["no faces", { meshes: [] }, {}, "source_corrupt"],
    ["version 1", { asset: { version: "1.0" } }, {}, "unsupported_feature"],
  ])("with %s is rejected with the right code", async (_, more, primitive, code) => {
    expect(await codeOf(mesh(triangle(more, primitive), ["gltf", "stl"]))).toBe(code);
  });
});

describe("faces", () => {
  test("of concave polygons are triangulated inside their outline", async () => {
    // An L shape: in a fan from its first vertex, triangles would be outside.
    const vertices = ["2 1 0", "2 0 0", "0 0 0", "0 2 0", "1 2 0", "1 1 0"];
    const header =
      "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
    const { path } = await mesh(scratch.file(`${header}${vertices.join("\n")}\n6 5 4 3 2 1 0\n`), ["ply", "obj"]);
    const text = readFileSync(path, "utf8");
    const points = Array.from(text.matchAll(/^v (\S+) (\S+)/gm), ([, x, y]) => [Number(x), Number(y)] as const);
    const areas = Array.from(text.matchAll(/^f (\d+) (\d+) (\d+)/gm), (match) => {
      const [[ax, ay], [bx, by], [cx, cy]] = match.slice(1).map((vertex) => points[Number(vertex) - 1] ?? [0, 0]) as [
        readonly [number, number],
        readonly [number, number],
        readonly [number, number],
      ];
      return ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2;
    });
    expect(areas).toHaveLength(4);
    expect(new Set(areas.map(Math.sign)).size).toBe(1);
    expect(Math.abs(areas.reduce((sum, area) => sum + area, 0))).toBe(3);
  });

  test("of an STL share vertices", async () => {
    const lines = await facesOf(fixture("sample.stl"), "stl");
    expect(lines.filter((line) => line.startsWith("v"))).toHaveLength(8);
    expect(lines.filter((line) => line.startsWith("f"))).toHaveLength(12);
  });
});

describe("an STL", () => {
  const binary = (count: number, facets: number): Buffer => {
    const bytes = Buffer.alloc(84 + facets * 50);
    bytes.write("solid but binary");
    bytes.writeUInt32LE(count, 80);
    for (let facet = 0; facet < facets; facet += 1) {
      bytes.writeFloatLE(1, 84 + facet * 50 + 24);
      bytes.writeFloatLE(1, 84 + facet * 50 + 40);
    }
    return bytes;
  };

  test("may start with `solid` and be binary", async () => {
    const lines = await facesOf(scratch.file(binary(2, 2)), "stl");
    expect(lines.filter((line) => line.startsWith("f"))).toHaveLength(2);
  });

  test.each([
    ["without faces", Buffer.from("solid x\nendsolid x\n"), "source_corrupt"],
    ["with none in binary", binary(0, 0), "source_corrupt"],
    ["that is truncated", binary(5, 2), "source_corrupt"],
    ["that is truncated text", readFileSync(fixture("sample.stl")).subarray(0, 500), "source_corrupt"],
    ["that declares a billion faces", binary(1e9, 1), "source_corrupt"],
    [
      "with non-numeric vertices",
      Buffer.from("solid\nfacet\nvertex a b c\nvertex 1 2 3\nvertex 1 2 4\nendfacet\nendsolid"),
      "source_corrupt",
    ],
  ])("%s is rejected", async (_, bytes, code) => {
    expect(await codeOf(mesh(scratch.file(bytes), ["stl", "glb"]))).toBe(code);
  });
});

test("reads a PLY in each of its encodings, and rejects a point cloud", async () => {
  const header = (format: string) =>
    `ply\nformat ${format} 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\nelement face 1\nproperty list uchar ushort vertex_index\nend_header\n`;
  for (const little of [true, false]) {
    const body = Buffer.alloc(72 + 7);
    for (const [at, value] of [0, 0, 0, 1, 0, 0, 0, 1, 0].entries()) {
      little ? body.writeDoubleLE(value, at * 8) : body.writeDoubleBE(value, at * 8);
    }
    body[72] = 3;
    for (const at of [0, 1, 2]) {
      little ? body.writeUInt16LE(at, 73 + at * 2) : body.writeUInt16BE(at, 73 + at * 2);
    }
    const head = Buffer.from(header(`binary_${little ? "little" : "big"}_endian`));
    expect(await facesOf(scratch.file(Buffer.concat([head, body])), "ply")).toEqual([
      "v 0 0 0",
      "v 1 0 0",
      "v 0 1 0",
      "f 1 2 3",
    ]);
    expect(await codeOf(mesh(scratch.file(Buffer.concat([head, body.subarray(0, 50)])), ["ply", "glb"]))).toBe(
      "source_corrupt",
    );
  }
  const cloud =
    "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n1 2 3\n";
  expect(await codeOf(mesh(scratch.file(cloud), ["ply", "glb"]))).toBe("unsupported_feature");
});

test("keeps normals and texture coordinates of an OBJ, and warns that its materials are missing", async () => {
  const text =
    "mtllib x.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0.25\nvt 1 0.25\nvt 0 1\nvn 0 0 1\nusemtl a\nf 1/1/1 2/2/1 3/3/1\n";
  const { path, codes } = await mesh(scratch.file(text), ["obj", "glb"]);
  expect(codes).toEqual(["materials_missing"]);
  const { scene } = await new GLTFLoader().parseAsync(Uint8Array.from(readFileSync(path)).buffer, "");
  const { attributes } = (
    scene.children[0] as unknown as { geometry: { attributes: Record<string, { array: Float32Array }> } }
  ).geometry;
  expect(Array.from(attributes.normal?.array ?? [])).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
  // glTF counts from the top, OBJ from the bottom.
  expect(Array.from(attributes.uv?.array ?? [])).toEqual([0, 0.75, 1, 0.75, 0, 0]);
  const back = readFileSync((await mesh(path, ["glb", "obj"])).path, "utf8");
  expect(back).toContain("vt 0 0.25\n");
  expect(back).toContain("f 1/1/1 2/2/2 3/3/3\n");
});

test.each([
  ["obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"],
  ["3mf", "PK\u0003\u0004"],
  ["glb", "glTF\u0002\0\0\0\u0014\0\0\0\u00ff\u00ff\0\0JSON"],
] as const)("a damaged %s is reported as corrupt", async (from, text) => {
  expect(await codeOf(mesh(scratch.file(Buffer.from(text, "latin1")), [from, "stl"]))).toBe("source_corrupt");
});

describe("CAD models and FBX", () => {
  const occt = convertingBy("occt", scratch);
  const three = convertingBy("three", scratch);
  const assimp = convertingBy("assimp", scratch);

  test.each(["step", "iges"] as const)("a damaged %s is reported as corrupt", async (from) => {
    const bytes = readFileSync(fixture(`sample.${from}`));
    expect(["source_corrupt", "unsupported_feature"]).toContain(
      await codeOf(occt(scratch.file(bytes.subarray(0, 700)), [from, "glb"])),
    );
  });

  test("a truncated FBX is reported as corrupt", async () => {
    const bytes = readFileSync(fixture("sample.fbx"));
    expect(await codeOf(three(scratch.file(bytes.subarray(0, 5_000)), ["fbx", "glb"]))).toBe("source_corrupt");
  });

  test.each(["dae", "3ds", "x3d", "amf", "off"] as const)("a truncated %s is reported as corrupt", async (from) => {
    const bytes = readFileSync(fixture(`sample.${from}`));
    // An upload has no extension.
    expect((await assimp(scratch.file(bytes), [from, "glb"])).codes).not.toContain("source_corrupt");
    expect(await codeOf(assimp(scratch.file(bytes.subarray(0, bytes.length / 3)), [from, "glb"]))).toBe(
      "source_corrupt",
    );
  });
});

test("detects each format from its content, and formats without magic bytes also from the name", () => {
  for (const name of [
    "glb",
    "gltf",
    "obj",
    "stl",
    "ply",
    "3mf",
    "fbx",
    "step",
    "iges",
    "dae",
    "3ds",
    "x3d",
    "amf",
    "off",
  ]) {
    const bytes = readFileSync(fixture(`sample.${name}`));
    expect(detectFormat(bytes.subarray(0, 65_536), { tail: bytes.subarray(-65_536) })).toBe(name);
  }
  expect(detectFormat(Buffer.alloc(134, 1), { filename: "a.stl" })).toBe("stl");
});
