import { readFile, writeFile } from "node:fs/promises";
import * as z from "zod/mini";
import { TREE_DEPTH_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { depthOf } from "../../data/json/record.ts";
import { decodeText } from "../../data/text/text.ts";
import { writeGlb } from "../geometry/glb-writer.ts";

const index = z.int().check(z.minimum(0));
const size = z.optional(index);

const texture = z.optional(z.looseObject({ index: size }));
const color = z.optional(z.array(z.number()));
const gloss = z.looseObject({ diffuseFactor: color, diffuseTexture: texture });

const material = z.looseObject({
  name: z.optional(z.string()),
  doubleSided: z.optional(z.boolean()),
  alphaMode: z.optional(z.string()),
  pbrMetallicRoughness: z.optional(
    z.looseObject({
      baseColorFactor: color,
      metallicFactor: z.optional(z.number()),
      roughnessFactor: z.optional(z.number()),
      baseColorTexture: texture,
    }),
  ),
  extensions: z.optional(z.looseObject({ KHR_materials_pbrSpecularGlossiness: z.optional(gloss) })),
});

/** The parts of glTF 2.0 that are read; when only the container changes, everything else passes through. */
const schema = z.looseObject({
  asset: z.looseObject({ version: z.string() }),
  scene: size,
  scenes: z.optional(z.array(z.looseObject({ nodes: z.optional(z.array(index)) }))),
  nodes: z.optional(
    z.array(
      z.looseObject({
        name: z.optional(z.string()),
        mesh: size,
        skin: size,
        children: z.optional(z.array(index)),
        matrix: z.optional(z.array(z.number()).check(z.length(16))),
        translation: z.optional(z.array(z.number()).check(z.length(3))),
        rotation: z.optional(z.array(z.number()).check(z.length(4))),
        scale: z.optional(z.array(z.number()).check(z.length(3))),
      }),
    ),
  ),
  meshes: z.optional(
    z.array(
      z.looseObject({
        name: z.optional(z.string()),
        primitives: z.array(
          z.looseObject({
            attributes: z.record(z.string(), index),
            indices: size,
            material: size,
            mode: size,
            targets: z.optional(z.array(z.unknown())),
            extensions: z.optional(z.record(z.string(), z.unknown())),
          }),
        ),
      }),
    ),
  ),
  materials: z.optional(z.array(material)),
  textures: z.optional(
    z.array(
      z.looseObject({ source: size, extensions: z.optional(z.record(z.string(), z.looseObject({ source: size }))) }),
    ),
  ),
  images: z.optional(
    z.array(z.looseObject({ uri: z.optional(z.string()), bufferView: size, mimeType: z.optional(z.string()) })),
  ),
  accessors: z.optional(
    z.array(
      z.looseObject({
        bufferView: size,
        byteOffset: size,
        componentType: index,
        normalized: z.optional(z.boolean()),
        count: index,
        type: z.string(),
        sparse: z.optional(
          z.looseObject({
            count: index,
            indices: z.looseObject({ bufferView: index, byteOffset: size, componentType: index }),
            values: z.looseObject({ bufferView: index, byteOffset: size }),
          }),
        ),
      }),
    ),
  ),
  bufferViews: z.optional(
    z.array(z.looseObject({ buffer: index, byteOffset: size, byteLength: index, byteStride: size })),
  ),
  buffers: z.optional(z.array(z.looseObject({ uri: z.optional(z.string()), byteLength: index }))),
  animations: z.optional(z.array(z.unknown())),
  skins: z.optional(z.array(z.unknown())),
  extensionsRequired: z.optional(z.array(z.string())),
});

export type Gltf = z.infer<typeof schema>;

/** A glTF as stored: its JSON, and the bytes of each of its buffers. */
export interface Stored {
  readonly json: Gltf;
  readonly buffers: readonly Uint8Array[];
  /** URIs of images in other files, which are not read. */
  readonly externalImages: readonly string[];
}

/**
 * Reads the container of a glTF or GLB. Only embedded data is read. Images in other files are replaced by a white one,
 * which preserves the colors of the material.
 *
 * @throws JobError `source_corrupt`; `unsupported_feature` when its geometry is in other files, or it uses glTF 1.0
 */
export const readStored = async ({ input, from }: EngineTask): Promise<Stored> => {
  const bytes = await readFile(input);
  const { text, binary } = from === "glb" ? chunksOf(bytes) : { text: decodeText(bytes).text, binary: undefined };
  const json = parsed(text);
  if (!json.asset.version.startsWith("2.")) {
    throw new JobError(
      "unsupported_feature",
      `The model uses glTF ${json.asset.version.slice(0, 10)}; only glTF 2.0 is supported.`,
    );
  }
  const externalImages = (json.images ?? []).flatMap(({ uri }) =>
    uri === undefined || /^data:/i.test(uri) ? [] : [uri],
  );
  const images = json.images?.map((image) =>
    image.uri !== undefined && externalImages.includes(image.uri)
      ? { ...image, mimeType: "image/png", uri: WHITE }
      : image,
  );
  const buffers = (json.buffers ?? []).map(({ uri, byteLength }, position) => {
    const data = uri === undefined ? (position === 0 ? binary : undefined) : dataOf(uri).bytes;
    if (data === undefined || data.length < byteLength) {
      throw new JobError("source_corrupt", "Truncated model: a buffer is shorter than its declared length.");
    }
    return data;
  });
  return { json: images === undefined ? json : { ...json, images }, buffers, externalImages };
};

/** A white pixel as PNG. */
const WHITE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4//8/AAX+Av4zEpUUAAAAAElFTkSuQmCC";

/** @returns the warning about images in other files */
export const externalImagesWarning = ({ externalImages }: Stored): Warning[] =>
  externalImages.length === 0
    ? []
    : [
        {
          code: "textures_dropped",
          detail: `Images in other files were omitted: ${externalImages.join(", ").slice(0, 200)}.`,
        },
      ];

const parsed = (text: string): Gltf => {
  if (depthOf(text) > TREE_DEPTH_MAX) {
    throw new JobError("unsupported_feature", `The JSON is nested more than ${TREE_DEPTH_MAX} levels deep.`);
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new JobError("source_corrupt", "The file is not valid glTF 2.0 JSON.", { cause });
  }
};

const JSON_CHUNK = 0x4e_4f_53_4a;

const chunksOf = (bytes: Buffer): { text: string; binary: Buffer | undefined } => {
  if (bytes.length < 20 || bytes.readUInt32LE(4) !== 2) {
    throw new JobError("unsupported_feature", "Only version 2 of GLB is supported.");
  }
  const length = bytes.readUInt32LE(12);
  if (bytes.readUInt32LE(16) !== JSON_CHUNK || 20 + length > bytes.length) {
    throw new JobError("source_corrupt", "The JSON chunk of the GLB is missing or truncated.");
  }
  const rest = bytes.subarray(20 + length);
  const binary = rest.length < 8 ? undefined : rest.subarray(8, 8 + rest.readUInt32LE(0));
  return { text: bytes.toString("utf8", 20, 20 + length), binary };
};

/** @returns the bytes of a `data:` URI (RFC 2397); any other URI refers to another file */
export const dataOf = (uri: string): { bytes: Buffer; mediaType: string } => {
  const match = /^data:([^,;]*)(?:;[^,;]*)*,/.exec(uri);
  if (match === null) {
    throw new JobError(
      "unsupported_feature",
      `The model refers to another file (${uri.slice(0, 100)}); only embedded data is supported.`,
    );
  }
  const rest = uri.slice(match[0].length);
  const bytes = match[0].endsWith(";base64,") ? Buffer.from(rest, "base64") : Buffer.from(percentDecoded(rest));
  return { bytes, mediaType: match[1] ?? "" };
};

const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new JobError("source_corrupt", "A data URI of the model has invalid percent-encoding.", { cause: error });
  }
};

/** Writes the same asset as a GLB: its buffers are merged into one, everything else is unchanged. */
export const storeGlb = async ({ json, buffers }: Stored, output: string): Promise<void> => {
  let length = 0;
  const starts = buffers.map((buffer) => {
    const start = length;
    length += Math.ceil(buffer.length / 4) * 4;
    return start;
  });
  const binary = buffers.flatMap((buffer) => [buffer, new Uint8Array((4 - (buffer.length % 4)) % 4)]);
  const bufferViews = json.bufferViews?.map((view) => ({
    ...view,
    buffer: 0,
    byteOffset: (view.byteOffset ?? 0) + (starts[view.buffer] ?? 0),
  }));
  const merged = {
    ...json,
    ...(bufferViews === undefined ? {} : { bufferViews }),
    ...(length === 0 ? {} : { buffers: [{ byteLength: length }] }),
  };
  await writeGlb(output, { json: merged, binary });
};

/** Writes the same asset as a glTF with embedded buffers. */
export const storeGltf = async ({ json, buffers }: Stored, output: string): Promise<void> => {
  const embedded = buffers.map((buffer, position) => ({
    ...json.buffers?.[position],
    byteLength: buffer.length,
    uri: `data:application/octet-stream;base64,${Buffer.from(buffer).toString("base64")}`,
  }));
  await writeFile(output, JSON.stringify(embedded.length === 0 ? json : { ...json, buffers: embedded }));
};
