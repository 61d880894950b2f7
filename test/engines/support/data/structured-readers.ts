import { deserialize } from "bson";
import { Decoder } from "cbor-x";
import { parse as parseProperties } from "dot-properties";
import { XMLParser } from "fast-xml-parser";
import { parse as parseIni } from "ini";
import { CORE_SCHEMA, defineScalarTag, load, NOT_RESOLVED } from "js-yaml";
import JSON5 from "json5";
import { parse as parseJson } from "lossless-json";
import { Unpackr } from "msgpackr";
import { parse as parsePlist } from "plist";
import { parse as parseToml } from "smol-toml";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";

/**
 * Readers of structured data that share no code with the writers, by format. Big integers are returned as BigInt if
 * possible.
 */
export const treeReaders: Partial<Record<FormatId, (bytes: Buffer) => unknown>> = {
  json: (bytes) => parseJson(String(bytes), undefined, { parseNumber: numberOf }),
  json5: (bytes) => JSON5.parse(String(bytes)),
  yaml: (bytes) => load(String(bytes), { schema: BIG_SCHEMA }),
  toml: (bytes) => parseToml(String(bytes), { integersAsBigInt: "asNeeded" }),
  xml: (bytes) => xml.parse(bytes),
  plist: (bytes) => parsePlist(String(bytes)),
  msgpack: (bytes) => new Unpackr({ int64AsType: "bigint", useRecords: false }).unpack(bytes),
  cbor: (bytes) => new Decoder({ useRecords: false }).decode(bytes),
  bson: (bytes) => bsonDocuments(bytes),
  // It parses true and false as booleans, which INI does not have.
  ini: (bytes) =>
    JSON.parse(JSON.stringify(parseIni(String(bytes))), (_, value) =>
      typeof value === "boolean" ? String(value) : value,
    ),
  properties: (bytes) => parseProperties(String(bytes), true),
};

const numberOf = (text: string): number | bigint => {
  const value = Number(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(text) : value;
};

const BIG_SCHEMA = CORE_SCHEMA.withTags(
  defineScalarTag<number | bigint>("tag:yaml.org,2002:int", {
    implicit: true,
    resolve: (text) => (/^[-+]?\d+$/.test(text) ? numberOf(text.replace("+", "")) : NOT_RESOLVED),
    identify: () => false,
  }),
);

const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  trimValues: false,
});

const bsonDocuments = (bytes: Buffer): unknown[] => {
  const documents: unknown[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) {
    documents.push(deserialize(bytes.subarray(at, at + bytes.readInt32LE(at)), { useBigInt64: true }));
  }
  return documents;
};
