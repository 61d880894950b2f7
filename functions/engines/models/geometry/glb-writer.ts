import { open, writeFile } from "node:fs/promises";
import type { Material, Mesh, Model } from "./model.ts";

/** A glTF asset (Khronos glTF 2.0): its JSON, and the bytes of its first buffer. */
export interface Asset {
  readonly json: Readonly<Record<string, unknown>>;
  readonly binary: readonly Uint8Array[];
}

const FLOAT = 5126;
const UNSIGNED_INT = 5125;
const UNSIGNED_SHORT = 5123;
const ARRAY_BUFFER = 34_962;
const ELEMENT_ARRAY_BUFFER = 34_963;

/** @returns the model as a glTF asset, with a node for each mesh */
export const assetOf = ({ meshes, materials, pictures }: Model): Asset => {
  const buffer = newBuffer();
  const primitives = meshes.map((mesh) => primitiveOf(mesh, buffer));
  const images = pictures.map(({ bytes, mediaType }) => ({ bufferView: buffer.add(bytes), mimeType: mediaType }));
  const json = {
    asset: { version: "2.0", generator: "anyform" },
    scene: 0,
    scenes: [{ nodes: meshes.map((_, index) => index) }],
    nodes: meshes.map(({ name }, index) => ({ ...(name === "" ? {} : { name }), mesh: index })),
    meshes: primitives.map((primitive, index) => ({ ...named(meshes[index]?.name), primitives: [primitive] })),
    ...filled({
      materials: materials.map(materialOf),
      textures: pictures.map((_, source) => ({ source })),
      images,
    }),
    accessors: buffer.accessors,
    bufferViews: buffer.views,
    buffers: [{ byteLength: buffer.bytes() }],
  };
  return { json, binary: buffer.chunks };
};

const named = (name = ""): { name?: string } => (name === "" ? {} : { name });

/** Arrays must not be empty (glTF 2.0, section 3.2). */
const filled = (lists: Readonly<Record<string, readonly unknown[]>>) =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

const materialOf = ({ name, color, metallic, roughness, doubleSided, picture }: Material) => ({
  ...named(name),
  pbrMetallicRoughness: {
    baseColorFactor: color,
    metallicFactor: metallic,
    roughnessFactor: roughness,
    ...(picture === undefined ? {} : { baseColorTexture: { index: picture } }),
  },
  ...(doubleSided ? { doubleSided } : {}),
  ...(color[3] < 1 ? { alphaMode: "BLEND" } : {}),
});

type Buffer_ = ReturnType<typeof newBuffer>;

const newBuffer = () => {
  const chunks: Uint8Array[] = [];
  const views: object[] = [];
  const accessors: object[] = [];
  let length = 0;
  const add = (bytes: Uint8Array, target?: number): number => {
    const padding = (4 - (bytes.length % 4)) % 4;
    views.push({
      buffer: 0,
      byteOffset: length,
      byteLength: bytes.length,
      ...(target === undefined ? {} : { target }),
    });
    chunks.push(bytes, new Uint8Array(padding));
    length += bytes.length + padding;
    return views.length - 1;
  };
  return { chunks, views, accessors, add, bytes: () => length };
};

interface Values {
  readonly values: Float32Array | Uint32Array | Uint16Array;
  readonly type: "SCALAR" | "VEC2" | "VEC3" | "VEC4";
  readonly more?: object;
}

const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 } as const;

const accessor = (buffer: Buffer_, { values, type, more = {} }: Values): number => {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const componentType =
    values instanceof Float32Array ? FLOAT : values instanceof Uint32Array ? UNSIGNED_INT : UNSIGNED_SHORT;
  const bufferView = buffer.add(bytes, type === "SCALAR" ? ELEMENT_ARRAY_BUFFER : ARRAY_BUFFER);
  buffer.accessors.push({ bufferView, componentType, count: values.length / COMPONENTS[type], type, ...more });
  return buffer.accessors.length - 1;
};

const primitiveOf = ({ positions, indices, normals, uvs, colors, material }: Mesh, buffer: Buffer_) => {
  const small = positions.length / 3 < 65_535;
  return {
    attributes: {
      POSITION: accessor(buffer, { values: positions, type: "VEC3", more: boundsOf(positions) }),
      ...(normals && { NORMAL: accessor(buffer, { values: unit(normals), type: "VEC3" }) }),
      ...(uvs && { TEXCOORD_0: accessor(buffer, { values: uvs, type: "VEC2" }) }),
      ...(colors && {
        COLOR_0: accessor(buffer, { values: shortsOf(colors), type: "VEC4", more: { normalized: true } }),
      }),
    },
    indices: accessor(buffer, { values: small ? Uint16Array.from(indices) : indices, type: "SCALAR" }),
    ...(material === undefined ? {} : { material }),
  };
};

const shortsOf = (colors: Float32Array): Uint16Array =>
  Uint16Array.from(colors, (value) => Math.round(65_535 * Math.min(1, Math.max(0, value))));

/** Normals must have unit length (glTF 2.0, section 3.7.2.1). */
const unit = (normals: Float32Array): Float32Array => {
  const result = new Float32Array(normals.length);
  for (let at = 0; at < normals.length; at += 3) {
    const [x = 0, y = 0, z = 0] = normals.subarray(at, at + 3);
    const length = Math.hypot(x, y, z);
    result.set(length > 0 ? [x / length, y / length, z / length] : [0, 0, 1], at);
  }
  return result;
};

const boundsOf = (positions: Float32Array) => {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const [index, value] of positions.entries()) {
    const axis = index % 3;
    min[axis] = Math.min(min[axis] ?? value, value);
    max[axis] = Math.max(max[axis] ?? value, value);
  }
  return { min, max };
};

const GLB_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const JSON_CHUNK = 0x4e_4f_53_4a;
const BIN_CHUNK = 0x00_4e_49_42;

/** Writes an asset as one binary file (glTF 2.0, section 4.4). */
export const writeGlb = async (output: string, { json, binary }: Asset): Promise<void> => {
  const text = Buffer.from(JSON.stringify(json));
  const head = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
  const bytes = binary.reduce((sum, { length }) => sum + length, 0);
  const padding = (4 - (bytes % 4)) % 4;
  const body = bytes === 0 ? 0 : CHUNK_HEADER_BYTES + bytes + padding;
  const header = Buffer.alloc(GLB_HEADER_BYTES);
  header.write("glTF", "latin1");
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(GLB_HEADER_BYTES + CHUNK_HEADER_BYTES + head.length + body, 8);
  const file = await open(output, "wx");
  try {
    const chunks = [header, chunkHeader(head.length, JSON_CHUNK), head];
    const bin = bytes === 0 ? [] : [chunkHeader(bytes + padding, BIN_CHUNK), ...binary, Buffer.alloc(padding)];
    for (const chunk of [...chunks, ...bin]) {
      await file.write(chunk);
    }
  } finally {
    await file.close();
  }
};

const chunkHeader = (bytes: number, type: number): Buffer => {
  const header = Buffer.alloc(CHUNK_HEADER_BYTES);
  header.writeUInt32LE(bytes, 0);
  header.writeUInt32LE(type, 4);
  return header;
};

/** Writes an asset as JSON with its buffer embedded. */
export const writeEmbedded = async (output: string, { json, binary }: Asset): Promise<void> => {
  const bytes = Buffer.concat(binary);
  const uri = `data:application/octet-stream;base64,${bytes.toString("base64")}`;
  await writeFile(output, JSON.stringify({ ...json, buffers: [{ byteLength: bytes.length, uri }] }));
};
