import { inflateRawSync, zstdDecompressSync } from "node:zlib";
import { TEXT_BYTES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { type AvroReader, avroValue, type Schema, schemaOf } from "./avro-schema.ts";
import { type ByteReader, byteReader } from "./bytes.ts";
import { type Codec, corrupt, type Source } from "./codec.ts";
import type { Tree } from "./tree.ts";

/** Files of Avro (the specification 1.12, "Object Container Files"): their records are a list. They are only read. */
export const avroCodec: Codec = {
  read: async (source) => {
    const bytes = byteReader(await source.bytes(), "Avro");
    if (bytes.take(4).toString("latin1") !== "Obj\u0001") {
      throw corrupt("The file is no Avro: it does not begin like one.");
    }
    const { schema, codec } = header({ bytes, source });
    const sync = bytes.take(SYNC_BYTES);
    const records: Tree[] = [];
    while (!bytes.ended()) {
      block({ bytes, source }, { schema, codec, records });
      if (!bytes.take(SYNC_BYTES).equals(sync)) {
        throw corrupt("The Avro has a block that does not end where it says.");
      }
    }
    return records;
  },
  write: () => {
    throw new TypeError("trees does not write Avro.");
  },
};

const SYNC_BYTES = 16;

interface Container {
  readonly bytes: ByteReader;
  readonly source: Source;
}

/** @returns what the metadata say: a map of bytes (the same encoding as of all values) */
const header = (reader: Container): { readonly schema: Schema; readonly codec: string } => {
  const metadata = avroValue(reader, { kind: "map", item: { kind: "bytes" } }, 0);
  const entry = (name: string): string => {
    const value = metadata instanceof Map ? metadata.get(name) : undefined;
    return value instanceof Uint8Array ? Buffer.from(value).toString() : "";
  };
  return { schema: schemaOf(entry("avro.schema")), codec: entry("avro.codec") || "null" };
};

const CODECS: Readonly<Record<string, (data: Buffer) => Buffer>> = {
  null: (data) => data,
  deflate: (data) => inflateRawSync(data, { maxOutputLength: TEXT_BYTES_MAX }),
  zstandard: (data) => zstdDecompressSync(data, { maxOutputLength: TEXT_BYTES_MAX }),
};

interface Block {
  readonly schema: Schema;
  readonly codec: string;
  readonly records: Tree[];
}

const block = ({ bytes, source }: Container, { schema, codec, records }: Block): void => {
  const count = Number(long({ bytes, source }));
  const data = unpacked(bytes.take(Number(long({ bytes, source }))), codec);
  const inner: AvroReader = { bytes: byteReader(data, "Avro"), source };
  for (let index = 0; index < count; index += 1) {
    records.push(avroValue(inner, schema, 1));
  }
  if (!inner.bytes.ended()) {
    throw corrupt("The Avro has a block with more bytes than its records take.");
  }
};

const long = (reader: Container): bigint => {
  const value = avroValue(reader, { kind: "long" }, 0);
  return BigInt(typeof value === "number" || typeof value === "bigint" ? value : 0);
};

const unpacked = (data: Buffer, codec: string): Buffer => {
  const unpack = Object.hasOwn(CODECS, codec) ? CODECS[codec] : undefined;
  if (unpack === undefined) {
    throw new JobError("unsupported_feature", `The Avro is compressed by ${codec}, which is not read here.`);
  }
  try {
    return unpack(data);
  } catch (error) {
    if (error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") {
      throw new JobError("output_too_large", `The Avro has a block of more than ${TEXT_BYTES_MAX} bytes.`);
    }
    throw corrupt("The Avro has a block that cannot be unpacked.", { cause: error });
  }
};
