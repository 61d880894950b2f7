import { readFile, stat, writeFile } from "node:fs/promises";
import { TEXT_BYTES_MAX } from "../domain/conversion-limits.ts";
import { JobError } from "../domain/errors.ts";
import { type FormatId, formatOf } from "../domain/formats.ts";
import type { Engine, EngineTask } from "./engine.ts";
import { decodeText } from "./io/text.ts";
import { declaredEncoding } from "./io/xml.ts";
import type { Codec, Source } from "./trees/codec.ts";
import { newNotes } from "./trees/notes.ts";
import { newBudget } from "./trees/tree.ts";

/**
 * Formats that hold a tree of values, by one codec each: every pair goes through the same tree in memory, so that what
 * both formats have (dates, bytes, big integers, the digits of decimals) arrives, and what the target lacks is counted.
 */
export const treesEngine: Engine = {
  name: "trees",
  version: async () => process.version,
  convert: async ({ input, output, from, to, options, progress }) => {
    const notes = newNotes();
    const [reader, writer] = [await codecOf(from), await codecOf(to)];
    const tree = await reader.read({ ...(await sourceOf(input, options)), notes, budget: newBudget() });
    progress(0.5);
    await writeFile(output, await writer.write(tree, { indent: options.indent ?? 2, notes }));
    return { warnings: notes.warnings() };
  },
};

/** Each codec with its package is loaded when a file of its format comes. */
const CODECS: Partial<Record<FormatId, () => Promise<Codec>>> = {
  json: async () => (await import("./trees/json.ts")).jsonCodec,
  json5: async () => (await import("./trees/json5.ts")).json5Codec,
  yaml: async () => (await import("./trees/yaml.ts")).yamlCodec,
  toml: async () => (await import("./trees/toml.ts")).tomlCodec,
  xml: async () => (await import("./trees/xml.ts")).xmlCodec,
  plist: async () => (await import("./trees/plist.ts")).plistCodec,
  msgpack: async () => (await import("./trees/msgpack.ts")).msgpackCodec,
  cbor: async () => (await import("./trees/cbor.ts")).cborCodec,
  bson: async () => (await import("./trees/bson.ts")).bsonCodec,
  avro: async () => (await import("./trees/avro.ts")).avroCodec,
  ini: async () => (await import("./trees/ini.ts")).iniCodec,
  properties: async () => (await import("./trees/properties.ts")).propertiesCodec,
};

const codecOf = async (format: FormatId): Promise<Codec> => {
  const load = CODECS[format];
  if (load === undefined) {
    throw new TypeError(`trees has no codec for ${formatOf(format).name}.`);
  }
  return load();
};

/** @returns what reads the file, whose size is checked first: as a tree it takes many times as much memory */
const sourceOf = async (
  input: string,
  { encoding }: EngineTask["options"],
): Promise<Pick<Source, "bytes" | "text">> => {
  const { size } = await stat(input);
  if (size > TEXT_BYTES_MAX) {
    throw new JobError("output_too_large", `The file has ${size} bytes; at most ${TEXT_BYTES_MAX} are allowed here.`);
  }
  const bytes = () => readFile(input);
  return {
    bytes,
    text: async () => {
      const all = await bytes();
      return decodeText(all, encoding ?? declaredEncoding(all)).text;
    },
  };
};
