import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import type { Warning } from "../../domain/jobs.ts";
import type { EngineTask } from "../engine.ts";
import type { Material, Mesh, Model, Picture } from "../io/model.ts";

/**
 * Writes a USDZ (Universal Scene Description, the USDZ File Format Specification): one layer as text, and the pictures
 * beside it, stored without compression, each at a multiple of 64 bytes.
 */
export const writeUsdz = async (model: Model, { output }: EngineTask): Promise<Warning[]> => {
  const pictures = model.pictures.map(({ bytes, mediaType }, index) => {
    const extension = EXTENSIONS[mediaType];
    return extension === undefined ? undefined : { path: `textures/${index}.${extension}`, bytes };
  });
  const layer = Buffer.from([...layerOf(model, pictures)].join(""));
  await writeStored(output, [
    { path: "model.usda", bytes: layer },
    ...pictures.filter((picture) => picture !== undefined),
  ]);
  return pictures.includes(undefined)
    ? [{ code: "textures_dropped", detail: "USDZ holds PNG and JPEG; pictures of other kinds were left out." }]
    : [];
};

const EXTENSIONS: Readonly<Record<Picture["mediaType"], string>> = { "image/png": "png", "image/jpeg": "jpg" };

type Stored = { readonly path: string; readonly bytes: Uint8Array };

const HEAD = `#usda 1.0
(
    defaultPrim = "Root"
    metersPerUnit = 1
    upAxis = "Y"
)

def Xform "Root"
{
`;

const layerOf = function* (model: Model, pictures: readonly (Stored | undefined)[]): Generator<string> {
  yield HEAD;
  for (const [index, mesh] of model.meshes.entries()) {
    yield* meshOf(mesh, index);
  }
  yield '    def Scope "Materials"\n    {\n';
  for (const [index, material] of model.materials.entries()) {
    yield materialOf(material, { index, picture: pictures[material.picture ?? -1] });
  }
  yield "    }\n}\n";
};

const listOf = function* (values: Float32Array, size: number): Generator<string> {
  for (let at = 0; at < values.length; at += size) {
    yield `${at === 0 ? "" : ", "}(${Array.from(values.subarray(at, at + size)).join(", ")})`;
  }
};

const meshOf = function* (mesh: Mesh, index: number): Generator<string> {
  const { positions, indices, normals, uvs, colours, material } = mesh;
  const binding = material === undefined ? "" : ' (\n        prepend apiSchemas = ["MaterialBindingAPI"]\n    )';
  yield `    def Mesh "mesh_${index + 1}"${binding}\n    {\n        uniform token subdivisionScheme = "none"\n`;
  yield `        int[] faceVertexCounts = [${"3, ".repeat(indices.length / 3).slice(0, -2)}]\n`;
  yield `        int[] faceVertexIndices = [${indices.join(", ")}]\n        point3f[] points = [`;
  yield* listOf(positions, 3);
  yield "]\n";
  if (normals !== undefined) {
    yield "        normal3f[] normals = [";
    yield* listOf(normals, 3);
    yield '] (\n            interpolation = "vertex"\n        )\n';
  }
  if (uvs !== undefined) {
    yield "        texCoord2f[] primvars:st = [";
    // The picture is measured from below here, and from above in the model.
    yield* listOf(
      uvs.map((value, at) => (at % 2 === 1 ? 1 - value : value)),
      2,
    );
    yield '] (\n            interpolation = "vertex"\n        )\n';
  }
  if (colours !== undefined) {
    yield "        color3f[] primvars:displayColor = [";
    yield* listOf(
      colours.filter((_, at) => at % 4 !== 3),
      3,
    );
    yield '] (\n            interpolation = "vertex"\n        )\n';
  }
  yield material === undefined ? "" : `        rel material:binding = </Root/Materials/material_${material + 1}>\n`;
  yield "    }\n";
};

const materialOf = (
  { colour, metallic, roughness }: Material,
  { index, picture }: { index: number; picture: Stored | undefined },
): string => {
  const path = `/Root/Materials/material_${index + 1}`;
  const [red, green, blue, alpha] = colour;
  const diffuse =
    picture === undefined
      ? `color3f inputs:diffuseColor = (${red}, ${green}, ${blue})`
      : `color3f inputs:diffuseColor.connect = <${path}/picture.outputs:rgb>`;
  const texture =
    picture === undefined
      ? ""
      : `
            def Shader "place"
            {
                uniform token info:id = "UsdPrimvarReader_float2"
                string inputs:varname = "st"
                float2 outputs:result
            }

            def Shader "picture"
            {
                uniform token info:id = "UsdUVTexture"
                asset inputs:file = @${picture.path}@
                float2 inputs:st.connect = <${path}/place.outputs:result>
                token inputs:sourceColorSpace = "sRGB"
                token inputs:wrapS = "repeat"
                token inputs:wrapT = "repeat"
                float4 inputs:scale = (${red}, ${green}, ${blue}, 1)
                float3 outputs:rgb
            }
`;
  return `        def Material "material_${index + 1}"
        {
            token outputs:surface.connect = <${path}/surface.outputs:surface>

            def Shader "surface"
            {
                uniform token info:id = "UsdPreviewSurface"
                ${diffuse}
                float inputs:metallic = ${metallic}
                float inputs:roughness = ${roughness}
                float inputs:opacity = ${alpha}
                token outputs:surface
            }
${texture}        }
`;
};

const ALIGNMENT = 64;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
/** 1 January 1980, the earliest date that a zip can hold: the same input gives the same bytes. */
const DATE = 0x21;
/** The padding stands in an extra field, which has four bytes of its own (APPNOTE.TXT 4.5). */
const EXTRA_BYTES = 4;
const PADDING_ID = 0x19_86;

/** Writes a zip whose members are stored, and begin at multiples of 64 bytes. */
const writeStored = async (output: string, members: readonly Stored[]): Promise<void> => {
  const file = await open(output, "wx");
  try {
    const directory: Buffer[] = [];
    let at = 0;
    for (const { path, bytes } of members) {
      const name = Buffer.from(path);
      const bare = at + LOCAL_BYTES + name.length + EXTRA_BYTES;
      const extra = Buffer.alloc(EXTRA_BYTES + ((ALIGNMENT - (bare % ALIGNMENT)) % ALIGNMENT));
      extra.writeUInt16LE(PADDING_ID, 0);
      extra.writeUInt16LE(extra.length - EXTRA_BYTES, 2);
      const fields = { checksum: crc32(bytes), size: bytes.length, name };
      await file.write(Buffer.concat([localHeader(fields, extra.length), name, extra]));
      await file.write(bytes);
      directory.push(centralHeader(fields, at), name);
      at += LOCAL_BYTES + name.length + extra.length + bytes.length;
    }
    const all = Buffer.concat(directory);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06_05_4b_50, 0);
    end.writeUInt16LE(members.length, 8);
    end.writeUInt16LE(members.length, 10);
    end.writeUInt32LE(all.length, 12);
    end.writeUInt32LE(at, 16);
    await file.write(Buffer.concat([all, end]));
  } finally {
    await file.close();
  }
};

interface Fields {
  readonly checksum: number;
  readonly size: number;
  readonly name: Buffer;
}

const localHeader = ({ checksum, size, name }: Fields, extraBytes: number): Buffer => {
  const header = Buffer.alloc(LOCAL_BYTES);
  header.writeUInt32LE(0x04_03_4b_50, 0);
  header.writeUInt16LE(10, 4);
  header.writeUInt16LE(DATE, 12);
  header.writeUInt32LE(checksum, 14);
  header.writeUInt32LE(size, 18);
  header.writeUInt32LE(size, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extraBytes, 28);
  return header;
};

const centralHeader = ({ checksum, size, name }: Fields, at: number): Buffer => {
  const header = Buffer.alloc(CENTRAL_BYTES);
  header.writeUInt32LE(0x02_01_4b_50, 0);
  header.writeUInt16LE(10, 4);
  header.writeUInt16LE(10, 6);
  header.writeUInt16LE(DATE, 14);
  header.writeUInt32LE(checksum, 16);
  header.writeUInt32LE(size, 20);
  header.writeUInt32LE(size, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(at, 42);
  return header;
};
