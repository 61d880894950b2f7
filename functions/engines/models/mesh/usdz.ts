import { writeFile } from "node:fs/promises";
import type { Warning } from "../../../domain/warning.ts";
import { type StoredMember, storedZip } from "../../archives/zip/stored.ts";
import type { EngineTask } from "../../core/engine.ts";
import type { Material, Mesh, Model, Picture } from "../geometry/model.ts";

/**
 * Writes a USDZ (Universal Scene Description, the USDZ File Format Specification): one layer as text plus the images,
 * stored without compression, each aligned to 64 bytes.
 */
export const writeUsdz = async (model: Model, { output }: EngineTask): Promise<Warning[]> => {
  const pictures = model.pictures.map(({ bytes, mediaType }, index) => {
    const extension = EXTENSIONS[mediaType];
    return extension === undefined ? undefined : { path: `textures/${index}.${extension}`, bytes };
  });
  const layer = Buffer.from([...layerOf(model, pictures)].join(""));
  const members = [{ path: "model.usda", bytes: layer }, ...pictures.filter((picture) => picture !== undefined)];
  await writeFile(output, storedZip(members, ALIGNMENT), { flag: "wx" });
  return pictures.includes(undefined)
    ? [{ code: "textures_dropped", detail: "USDZ supports only PNG and JPEG textures; other images were removed." }]
    : [];
};

const EXTENSIONS: Readonly<Record<Picture["mediaType"], string>> = { "image/png": "png", "image/jpeg": "jpg" };

const HEAD = `#usda 1.0
(
    defaultPrim = "Root"
    metersPerUnit = 1
    upAxis = "Y"
)

def Xform "Root"
{
`;

const layerOf = function* (model: Model, pictures: readonly (StoredMember | undefined)[]): Generator<string> {
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
  const { positions, indices, normals, uvs, colors, material } = mesh;
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
    // Texture coordinates start at the bottom here, and at the top in the model.
    yield* listOf(
      uvs.map((value, at) => (at % 2 === 1 ? 1 - value : value)),
      2,
    );
    yield '] (\n            interpolation = "vertex"\n        )\n';
  }
  if (colors !== undefined) {
    yield "        color3f[] primvars:displayColor = [";
    yield* listOf(
      colors.filter((_, at) => at % 4 !== 3),
      3,
    );
    yield '] (\n            interpolation = "vertex"\n        )\n';
  }
  yield material === undefined ? "" : `        rel material:binding = </Root/Materials/material_${material + 1}>\n`;
  yield "    }\n";
};

const materialOf = (
  { color, metallic, roughness }: Material,
  { index, picture }: { index: number; picture: StoredMember | undefined },
): string => {
  const path = `/Root/Materials/material_${index + 1}`;
  const [red, green, blue, alpha] = color;
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

/** Alignment of each member, in bytes (USDZ File Format Specification, "Layout"). */
const ALIGNMENT = 64;
