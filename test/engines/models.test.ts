import { readFileSync } from "node:fs";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../functions/domain/detect.ts";
import type { FormatId } from "../../functions/domain/formats.ts";
import { codeOf } from "./support/convert.ts";
import { fixture } from "./support/fixtures.ts";
import { scratchFolder } from "./support/scratch.ts";
import { convertingBy } from "./support/task.ts";

const scratch = scratchFolder();
const mesh = convertingBy("mesh", scratch);
const offOf = async (path: string, from: FormatId): Promise<string[]> =>
  readFileSync((await mesh(path, [from, "off"])).path, "utf8")
    .trim()
    .split("\n");
const jsonOf = (path: string) => {
  const bytes = readFileSync(path);
  return JSON.parse(bytes.toString("utf8", 20, 20 + bytes.readUInt32LE(12)));
};
const buffer = (bytes: Uint8Array): object => ({
  byteLength: bytes.length,
  uri: `data:application/octet-stream;base64,${Buffer.from(bytes).toString("base64")}`,
});
/** A glTF with one triangle, and what else is given. */
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
  test("keeps movements, extras and pictures in a GLB: only the container changes", async () => {
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

  test("says where it loses movements and lines", async () => {
    expect((await mesh(triangle({ animations: [{}] }), ["gltf", "stl"])).codes).toEqual(["animation_dropped"]);
    const lines = [{ attributes: { POSITION: 0 }, mode: 1 }, { attributes: { POSITION: 0 } }];
    expect((await mesh(triangle({ meshes: [{ primitives: lines }] }), ["gltf", "stl"])).codes).toEqual([
      "lines_dropped",
    ]);
  });

  test("is shown where its nodes put it, and stays outside out when it is mirrored", async () => {
    const node = { mesh: 0, matrix: [-2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 10, 0, 0, 1] };
    expect(await offOf(triangle({ nodes: [node] }), "gltf")).toEqual([
      "OFF",
      "3 1 0",
      "10 0 0",
      "8 0 0",
      "10 2 0",
      "3 0 2 1",
    ]);
  });

  test("gives its pictures on to other formats as they are", async () => {
    const picture = readFileSync(fixture("sample.png"));
    const more = {
      images: [{ uri: `data:image/png;base64,${picture.toString("base64")}` }],
      textures: [{ source: 0 }],
      materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    };
    const { path } = await mesh(triangle(more, { material: 0 }), ["gltf", "usdz"]);
    expect(readFileSync(path).includes(picture)).toBe(true);
  });

  test("stays without pictures that lie elsewhere, which are neither read nor named in the result", async () => {
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
    ["an accessor that reaches too far", { bufferViews: [{ buffer: 0, byteLength: 24 }] }, {}, "source_corrupt"],
    [
      "more corners than there can be",
      { accessors: [{ componentType: 5126, count: 4e9, type: "VEC3" }] },
      {},
      "output_too_large",
    ],
    ["nodes that hold each other", { nodes: [{ children: [0], mesh: 0 }] }, {}, "source_corrupt"],
    ["no faces", { meshes: [] }, {}, "source_corrupt"],
    ["version 1", { asset: { version: "1.0" } }, {}, "unsupported_feature"],
  ])("with %s is refused for what it is", async (_, more, primitive, code) => {
    expect(await codeOf(mesh(triangle(more, primitive), ["gltf", "stl"]))).toBe(code);
  });
});

describe("faces", () => {
  test("that are hollow polygons are cut inside their outline", async () => {
    // An L: cut from its first corner, triangles would lie outside.
    const corners = ["2 1 0", "2 0 0", "0 0 0", "0 2 0", "1 2 0", "1 1 0"];
    const { path } = await mesh(scratch.file(`OFF\n6 1 0\n${corners.join("\n")}\n6 5 4 3 2 1 0\n`), ["off", "obj"]);
    const text = readFileSync(path, "utf8");
    const points = Array.from(text.matchAll(/^v (\S+) (\S+)/gm), ([, x, y]) => [Number(x), Number(y)] as const);
    const areas = Array.from(text.matchAll(/^f (\d+) (\d+) (\d+)/gm), (match) => {
      const [[ax, ay], [bx, by], [cx, cy]] = match.slice(1).map((corner) => points[Number(corner) - 1] ?? [0, 0]) as [
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

  test("of an STL share their corners", async () => {
    const [, counts] = await offOf(fixture("sample.stl"), "stl");
    expect(counts).toBe("8 12 0");
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

  test("may begin with `solid` and be binary", async () => {
    expect((await offOf(scratch.file(binary(2, 2)), "stl"))[1]).toMatch(/ 2 0$/);
  });

  test.each([
    ["without faces", Buffer.from("solid x\nendsolid x\n"), "source_corrupt"],
    ["with none in binary", binary(0, 0), "source_corrupt"],
    ["that breaks off", binary(5, 2), "source_corrupt"],
    ["that breaks off as text", readFileSync(fixture("sample.stl")).subarray(0, 500), "source_corrupt"],
    ["that promises a billion faces", binary(1e9, 1), "source_corrupt"],
    [
      "with corners that are no numbers",
      Buffer.from("solid\nfacet\nvertex a b c\nvertex 1 2 3\nvertex 1 2 4\nendfacet\nendsolid"),
      "source_corrupt",
    ],
  ])("%s is refused", async (_, bytes, code) => {
    expect(await codeOf(mesh(scratch.file(bytes), ["stl", "glb"]))).toBe(code);
  });
});

test("a PLY is read in each of its encodings, and a cloud of points is refused", async () => {
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
    expect(await offOf(scratch.file(Buffer.concat([head, body])), "ply")).toEqual([
      "OFF",
      "3 1 0",
      "0 0 0",
      "1 0 0",
      "0 1 0",
      "3 0 1 2",
    ]);
    expect(await codeOf(mesh(scratch.file(Buffer.concat([head, body.subarray(0, 50)])), ["ply", "glb"]))).toBe(
      "source_corrupt",
    );
  }
  const cloud =
    "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n1 2 3\n";
  expect(await codeOf(mesh(scratch.file(cloud), ["ply", "glb"]))).toBe("unsupported_feature");
});

test("an OBJ keeps normals and places in pictures, and says that its materials are missing", async () => {
  const text =
    "mtllib x.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0.25\nvt 1 0.25\nvt 0 1\nvn 0 0 1\nusemtl a\nf 1/1/1 2/2/1 3/3/1\n";
  const { path, codes } = await mesh(scratch.file(text), ["obj", "glb"]);
  expect(codes).toEqual(["materials_missing"]);
  const { scene } = await new GLTFLoader().parseAsync(Uint8Array.from(readFileSync(path)).buffer, "");
  const { attributes } = (
    scene.children[0] as unknown as { geometry: { attributes: Record<string, { array: Float32Array }> } }
  ).geometry;
  expect(Array.from(attributes.normal?.array ?? [])).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
  // From above in glTF, from below in OBJ.
  expect(Array.from(attributes.uv?.array ?? [])).toEqual([0, 0.75, 1, 0.75, 0, 0]);
  const back = readFileSync((await mesh(path, ["glb", "obj"])).path, "utf8");
  expect(back).toContain("vt 0 0.25\n");
  expect(back).toContain("f 1/1/1 2/2/2 3/3/3\n");
});

test.each([
  ["obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"],
  ["off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 9\n"],
  ["off", "OFF\n3 1 0\n0 0 0\n"],
  ["3ds", "MM\u00ff\u00ff\0\0=="],
  ["3mf", "PK\u0003\u0004"],
  ["glb", "glTF\u0002\0\0\0\u0014\0\0\0\u00ff\u00ff\0\0JSON"],
] as const)("a broken %s is the file's fault", async (from, text) => {
  expect(await codeOf(mesh(scratch.file(Buffer.from(text, "latin1")), [from, "stl"]))).toBe("source_corrupt");
});

describe("bodies of CAD programs, and FBX", () => {
  const occt = convertingBy("occt", scratch);
  const three = convertingBy("three", scratch);

  test.each(["step", "iges"] as const)("a broken %s is the file's fault", async (from) => {
    const bytes = readFileSync(fixture(`sample.${from}`));
    expect(["source_corrupt", "unsupported_feature"]).toContain(
      await codeOf(occt(scratch.file(bytes.subarray(0, 700)), [from, "glb"])),
    );
  });

  test("an FBX that breaks off is the file's fault", async () => {
    const bytes = readFileSync(fixture("sample.fbx"));
    expect(await codeOf(three(scratch.file(bytes.subarray(0, 5_000)), ["fbx", "glb"]))).toBe("source_corrupt");
  });
});

test("each format is told from its bytes, and what has no mark of its own from its name, too", () => {
  for (const name of ["glb", "gltf", "obj", "stl", "ply", "off", "3mf", "fbx", "3ds", "step", "iges"]) {
    const bytes = readFileSync(fixture(`sample.${name}`));
    expect(detectFormat(bytes.subarray(0, 65_536), { tail: bytes.subarray(-65_536) })).toBe(name);
  }
  expect(detectFormat(Buffer.alloc(134, 1), { filename: "a.stl" })).toBe("stl");
});
