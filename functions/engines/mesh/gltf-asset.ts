import { readFile, writeFile } from "node:fs/promises";
import * as z from "zod/mini";
import { TREE_DEPTH_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/jobs.ts";
import type { EngineTask } from "../engine.ts";
import { writeGlb } from "../io/glb-writer.ts";
import { depthOf } from "../io/json-record.ts";
import { decodeText } from "../io/text.ts";

const index = z.int().check(z.minimum(0));
const size = z.optional(index);

const texture = z.optional(z.looseObject({ index: size }));
const colour = z.optional(z.array(z.number()));
const gloss = z.looseObject({ diffuseFactor: colour, diffuseTexture: texture });

const material = z.looseObject({
  name: z.optional(z.string()),
  doubleSided: z.optional(z.boolean()),
  alphaMode: z.optional(z.string()),
  pbrMetallicRoughness: z.optional(
    z.looseObject({
      baseColorFactor: colour,
      metallicFactor: z.optional(z.number()),
      roughnessFactor: z.optional(z.number()),
      baseColorTexture: texture,
    }),
  ),
  extensions: z.optional(z.looseObject({ KHR_materials_pbrSpecularGlossiness: z.optional(gloss) })),
});

/** What is read of glTF 2.0; all else passes through where only the container changes. */
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

/** A glTF as it is stored: the JSON, and the bytes of each of its buffers. */
export interface Stored {
  readonly json: Gltf;
  readonly buffers: readonly Uint8Array[];
  /** Pictures that lie in other files, and are not read. */
  readonly elsewhere: readonly string[];
}

/**
 * Reads the container of a glTF or GLB. Only what stands in the file itself is read; in place of pictures in other files
 * stands a white one, which leaves the colours of the material.
 *
 * @throws JobError `source_corrupt`; `unsupported_feature` when its shapes are in other files, or it is of glTF 1.0
 */
export const readStored = async ({ input, from }: EngineTask): Promise<Stored> => {
  const bytes = await readFile(input);
  const { text, binary } = from === "glb" ? chunksOf(bytes) : { text: decodeText(bytes).text, binary: undefined };
  const json = parsed(text);
  if (!json.asset.version.startsWith("2.")) {
    throw new JobError(
      "unsupported_feature",
      `The model is glTF ${json.asset.version.slice(0, 10)}; only 2.0 is read.`,
    );
  }
  const elsewhere = (json.images ?? []).flatMap(({ uri }) => (uri === undefined || /^data:/i.test(uri) ? [] : [uri]));
  const images = json.images?.map((image) =>
    image.uri !== undefined && elsewhere.includes(image.uri) ? { ...image, mimeType: "image/png", uri: WHITE } : image,
  );
  const buffers = (json.buffers ?? []).map(({ uri, byteLength }, position) => {
    const data = uri === undefined ? (position === 0 ? binary : undefined) : dataOf(uri).bytes;
    if (data === undefined || data.length < byteLength) {
      throw new JobError("source_corrupt", "The model breaks off: a buffer has fewer bytes than it says.");
    }
    return data;
  });
  return { json: images === undefined ? json : { ...json, images }, buffers, elsewhere };
};

/** A white pixel as PNG. */
const WHITE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4//8/AAX+Av4zEpUUAAAAAElFTkSuQmCC";

/** @returns what to say of pictures that lie in other files */
export const elsewhereWarning = ({ elsewhere }: Stored): Warning[] =>
  elsewhere.length === 0
    ? []
    : [
        {
          code: "textures_dropped",
          detail: `Pictures in other files were left out: ${elsewhere.join(", ").slice(0, 200)}.`,
        },
      ];

const parsed = (text: string): Gltf => {
  if (depthOf(text) > TREE_DEPTH_MAX) {
    throw new JobError("unsupported_feature", `The values are nested more than ${TREE_DEPTH_MAX} deep.`);
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new JobError("source_corrupt", "The glTF is no valid JSON of glTF 2.0.", { cause });
  }
};

const JSON_CHUNK = 0x4e_4f_53_4a;

const chunksOf = (bytes: Buffer): { text: string; binary: Buffer | undefined } => {
  if (bytes.length < 20 || bytes.readUInt32LE(4) !== 2) {
    throw new JobError("unsupported_feature", "The GLB is not of version 2.");
  }
  const length = bytes.readUInt32LE(12);
  if (bytes.readUInt32LE(16) !== JSON_CHUNK || 20 + length > bytes.length) {
    throw new JobError("source_corrupt", "The GLB has no whole JSON in it.");
  }
  const rest = bytes.subarray(20 + length);
  const binary = rest.length < 8 ? undefined : rest.subarray(8, 8 + rest.readUInt32LE(0));
  return { text: bytes.toString("utf8", 20, 20 + length), binary };
};

/** @returns the bytes of a `data:` address (RFC 2397); any other leads out of the file */
export const dataOf = (uri: string): { bytes: Buffer; mediaType: string } => {
  const match = /^data:([^,;]*)(?:;[^,;]*)*,/.exec(uri);
  if (match === null) {
    throw new JobError(
      "unsupported_feature",
      `The model refers to another file (${uri.slice(0, 100)}); only what stands in the file itself is read.`,
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
    throw new JobError("source_corrupt", "The model holds data whose percent-encoding is broken.", { cause: error });
  }
};

/** Writes the same asset as a GLB: the buffers become one, and all else stays. */
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

/** Writes the same asset as a glTF that has its buffers in it. */
export const storeGltf = async ({ json, buffers }: Stored, output: string): Promise<void> => {
  const embedded = buffers.map((buffer, position) => ({
    ...json.buffers?.[position],
    byteLength: buffer.length,
    uri: `data:application/octet-stream;base64,${Buffer.from(buffer).toString("base64")}`,
  }));
  await writeFile(output, JSON.stringify(embedded.length === 0 ? json : { ...json, buffers: embedded }));
};
