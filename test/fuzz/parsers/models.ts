import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { meshEngine } from "../../../functions/engines/models/mesh.ts";
import { sample } from "../../engines/support/attacks/attack.ts";
import { changedZip } from "../change-zip.ts";
import { changedJson } from "../grammars/json.ts";
import type { Parser } from "../parser.ts";
import { through } from "../through.ts";

/** Triangle meshes. Vertices that faces refer to exist, and numbers are finite: the engine checks it. */

const model = (name: FormatId, to: FormatId, more: Pick<Parser, "words"> & Partial<Parser>): Parser => ({
  name,
  sources: [
    `functions/engines/models/mesh/${name}`,
    "functions/engines/models/geometry/mesh-builder.ts",
    "functions/engines/models/geometry/model.ts",
  ],
  samples: () => [sample(name)],
  hold: through(meshEngine, name, to),
  ...more,
});

const JSON_WORDS = [
  ...[
    "accessors",
    "bufferView",
    "byteOffset",
    "byteLength",
    "componentType",
    "count",
    "type",
    "VEC3",
    "SCALAR",
    "MAT4",
  ],
  ...[
    "meshes",
    "primitives",
    "attributes",
    "POSITION",
    "NORMAL",
    "indices",
    "mode",
    "nodes",
    "children",
    "mesh",
    "scene",
  ],
  ...[
    "matrix",
    "sparse",
    "uri",
    "data:application/octet-stream;base64,AAAA",
    "images",
    "extensionsRequired",
    "buffers",
  ],
  ...["KHR_draco_mesh_compression", "http://127.0.0.1/x", "../x", "byteStride", "target"],
];

const PLY_HEAD =
  "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";

export const modelParsers: readonly Parser[] = [
  model("obj", "ply", {
    words: [
      "v 1 2 3\n",
      "vn 0 0 1\n",
      "vt 0 1\n",
      "f 1 2 3\n",
      "f -1/-1/-1 1// 2//2\n",
      "\\\n",
      "usemtl a\n",
      "o x\n",
      "#",
    ],
  }),
  model("ply", "stl", {
    samples: () => [sample("ply"), `${PLY_HEAD}0 0 0 1\n1 0 0 2\n0 1 0 3\n3 0 1 2\n`],
    words: [
      ...["element vertex 4294967295\n", "property list uint double x\n", "property char y\n", "end_header\n"],
      ...[
        "format binary_little_endian 1.0\n",
        "format binary_big_endian 1.0\n",
        "comment x\n",
        "3 0 1 2\n",
        "\xff\xff\xff\xff",
      ],
    ],
  }),
  model("stl", "obj", {
    samples: () => [
      sample("stl"),
      "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n",
    ],
    words: [
      "solid ",
      "facet normal 0 0 1\n",
      "vertex 1 2 3\n",
      "endloop\n",
      "endfacet\n",
      "nan",
      "1e999",
      "\xff\xff\xff\xff",
    ],
  }),
  model("3mf", "ply", {
    sources: ["functions/engines/models/mesh/threemf-in.ts", "functions/engines/models/geometry/mesh-builder.ts"],
    words: [
      ...[
        '<object id="1">',
        '<component objectid="1"/>',
        "<components>",
        "</components>",
        '<vertex x="1" y="2" z="3"/>',
      ],
      ...['<triangle v1="0" v2="1" v3="2"/>', '<item objectid="1"/>', ' transform="1 0 0 0 1 0 0 0 1 0 0 0"', "<mesh>"],
    ],
    change: changedZip([
      '<component objectid="1"/>',
      '<item objectid="1"/>',
      "NaN",
      "4294967296",
      '<triangle v1="0"',
      "/>",
    ]),
  }),
  model("gltf", "ply", {
    sources: ["functions/engines/models/mesh/gltf-", "functions/engines/models/mesh/matrix.ts"],
    words: JSON_WORDS,
    change: changedJson(JSON_WORDS),
  }),
  model("glb", "obj", {
    sources: ["functions/engines/models/mesh/gltf-", "functions/engines/models/mesh/matrix.ts"],
    words: ["glTF", "JSON", "BIN\0", ...JSON_WORDS.map((word) => `"${word}":`)],
  }),
];
