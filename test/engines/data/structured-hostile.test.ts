import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { codeOf } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("structured", scratch);

/** @returns the code of the error for the file */
const refused = (input: string | Uint8Array, from: FormatId): Promise<string> =>
  codeOf(convert(scratch.file(input), [from, from === "json" ? "yaml" : "json"]));

const BOMB = Array.from({ length: 12 }, (_, index) => {
  const item = index === 0 ? "x" : `*a${index - 1}`;
  return `a${index}: &a${index} [${Array.from({ length: 10 }, () => item).join(",")}]`;
}).join("\n");

const XXE = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';
const LAUGHS = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>';

describe("hostile files", () => {
  test.each([
    ["references that grow exponentially", BOMB, "yaml", "output_too_large"],
    ["a reference to itself", "&a [*a]", "yaml", "source_corrupt"],
    ["an entity that refers to a file", XXE, "xml", "unsupported_feature"],
    ["entities that grow exponentially", LAUGHS, "xml", "unsupported_feature"],
    ["brackets without end", "[".repeat(100_000), "json", "unsupported_feature"],
    ["brackets without end", "[".repeat(100_000), "json5", "unsupported_feature"],
    ["brackets without end", "[".repeat(100_000), "yaml", "source_corrupt"],
    ["brackets without end", `a = ${"[".repeat(100_000)}`, "toml", "source_corrupt"],
    ["elements without end", "<a>".repeat(100_000), "xml", "unsupported_feature"],
    ["lists without end", Buffer.alloc(100_000, 0x91), "msgpack", "unsupported_feature"],
    ["lists without end", Buffer.alloc(100_000, 0x81), "cbor", "unsupported_feature"],
    ["a list of 4 billion", Buffer.from("ddffffffffc0", "hex"), "msgpack", "source_corrupt"],
    ["a list of 2^64", Buffer.from("9bffffffffffffffff00", "hex"), "cbor", "source_corrupt"],
    ["a document of negative length", Buffer.from("ffffffff10610001000000", "hex"), "bson", "source_corrupt"],
  ] as const)("%s (%3$s, %2$s)", async (_, input, format, code) => {
    expect(await refused(input, format)).toBe(code);
  });
});

describe("malformed files", () => {
  // Invalid according to JSONTestSuite and the RFC.
  const json = [
    ...["", " ", "[1,]", '{"a":1,}', "{a:1}", "['a']", "[01]", "[1.]", "[.5]", "[+1]", "[-]", "[0x1]", "[1e]", "[NaN]"],
    ...["[1 2]", '["a\tb"]', '["a\nb"]', '["\\x41"]', '["\\u12"]', '["a]', "[1]x", '{"a" 1}', '{"a":1 "b":2}', "[tru]"],
    ...["// c\n1", "[\u00a01]", '{"a":}', "[,1]", "]", "1]", '{"a":1}}'],
  ];
  test.each(json)("rejects JSON that the RFC does not allow: %j", async (text) => {
    expect(await refused(text, "json")).toBe("source_corrupt");
  });

  test.each([
    ["yaml", "a: [1"],
    ["yaml", "a: b: c"],
    ["yaml", "a: *nothing"],
    ["yaml", "a: !!int x"],
    ["toml", "a = 1\na = 2"],
    ["toml", "a = 01"],
    ["xml", "<a><b></a></b>"],
    ["xml", "<a>&nope;</a>"],
    ["xml", "<a b=1/>"],
    ["xml", "<a/><b/>"],
    ["xml", '<a b="1" b="2"/>'],
    ["xml", "<a>&#0;</a>"],
    ["xml", "text"],
    ["plist", "<plist><dict><string>a</string></dict></plist>"],
    ["plist", "<plist><integer>x</integer></plist>"],
    ["ini", "just some words"],
    ["properties", "a = \\uXYZ"],
  ] as const)("rejects malformed %s: %s", async (format, text) => {
    expect(await refused(text, format)).toBe("source_corrupt");
  });

  test.each(["msgpack", "cbor", "bson"] as const)("rejects %s truncated at any position", async (format) => {
    const complete = readFileSync(sampleOf(format));
    for (const length of [1, Math.floor(complete.length / 3), Math.floor(complete.length / 2), complete.length - 1]) {
      expect(await refused(complete.subarray(0, length), format), `${length} bytes`).toBe("source_corrupt");
    }
  });

  test.each(["msgpack", "cbor", "bson"] as const)("reads or rejects %s with any byte changed", async (format) => {
    const complete = readFileSync(sampleOf(format));
    for (let at = 0; at < complete.length; at += 7) {
      const changed = Buffer.from(complete);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      const code = await refused(changed, format).catch((error: Error) => error.message);
      expect(["source_corrupt", "unsupported_feature", "output_too_large", "It succeeded."]).toContain(code);
    }
  });
});
