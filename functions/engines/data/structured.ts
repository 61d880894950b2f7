import { readFile, stat, writeFile } from "node:fs/promises";
import { TEXT_BYTES_MAX } from "../../domain/conversions/conversion-limits.ts";
import { INDENT } from "../../domain/conversions/options/tables.ts";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats/formats.ts";
import type { Engine, EngineTask } from "../core/engine.ts";
import type { Codec, Source } from "./structured/codec.ts";
import { newNotes } from "./structured/notes.ts";
import { newBudget } from "./structured/tree.ts";
import { decodeText } from "./text/text.ts";
import { declaredEncoding } from "./text/xml.ts";

/**
 * Formats of structured data, with one codec each: every conversion uses the same tree of values in memory. Values that
 * both formats support (dates, bytes, big integers, the digits of decimals) are preserved; all others are counted.
 */
export const structuredEngine: Engine = {
  name: "structured",
  version: async () => process.version,
  convert: async ({ input, output, from, to, options, progress }) => {
    const notes = newNotes();
    const [reader, writer] = [await codecOf(from), await codecOf(to)];
    const tree = await reader.read({ ...(await sourceOf(input, options)), notes, budget: newBudget() });
    progress(0.5);
    await writeFile(output, await writer.write(tree, { indent: options.indent ?? INDENT, notes }));
    return { warnings: notes.warnings() };
  },
};

/** Each codec and its package is loaded when it is first needed. */
const CODECS: Partial<Record<FormatId, () => Promise<Codec>>> = {
  json: async () => (await import("./structured/json/json.ts")).jsonCodec,
  json5: async () => (await import("./structured/json/json5.ts")).json5Codec,
  yaml: async () => (await import("./structured/yaml/yaml.ts")).yamlCodec,
  toml: async () => (await import("./structured/text/toml.ts")).tomlCodec,
  xml: async () => (await import("./structured/text/xml.ts")).xmlCodec,
  plist: async () => (await import("./structured/plist/plist.ts")).plistCodec,
  msgpack: async () => (await import("./structured/binary/msgpack.ts")).msgpackCodec,
  cbor: async () => (await import("./structured/binary/cbor.ts")).cborCodec,
  bson: async () => (await import("./structured/binary/bson.ts")).bsonCodec,
  ini: async () => (await import("./structured/text/ini.ts")).iniCodec,
  properties: async () => (await import("./structured/text/properties.ts")).propertiesCodec,
};

const codecOf = async (format: FormatId): Promise<Codec> => {
  const load = CODECS[format];
  if (load === undefined) {
    throw new TypeError(`structured has no codec for ${formatOf(format).name}.`);
  }
  return load();
};

/** @returns the readers of the file. Its size is checked first, because the tree needs many times as much memory. */
const sourceOf = async (
  input: string,
  { encoding }: EngineTask["options"],
): Promise<Pick<Source, "bytes" | "text">> => {
  const { size } = await stat(input);
  if (size > TEXT_BYTES_MAX) {
    throw new JobError(
      "output_too_large",
      `The file has ${size} bytes; the maximum for this conversion is ${TEXT_BYTES_MAX}.`,
    );
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
