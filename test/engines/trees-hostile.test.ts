import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { FormatId } from "../../functions/domain/formats.ts";
import { codeOf } from "./support/convert.ts";
import { sampleOf } from "./support/fixtures.ts";
import { scratchFolder } from "./support/scratch.ts";
import { convertingBy } from "./support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("trees", scratch);

/** @returns the code that the file is refused with */
const refused = (input: string | Uint8Array, from: FormatId): Promise<string> =>
  codeOf(convert(scratch.file(input), [from, from === "json" ? "yaml" : "json"]));

const BOMB = Array.from({ length: 12 }, (_, index) => {
  const item = index === 0 ? "x" : `*a${index - 1}`;
  return `a${index}: &a${index} [${Array.from({ length: 10 }, () => item).join(",")}]`;
}).join("\n");

const XXE = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';
const LAUGHS = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>';

describe("files that are meant to do harm", () => {
  test.each([
    ["references that grow without end", BOMB, "yaml", "output_too_large"],
    ["a reference to itself", "&a [*a]", "yaml", "source_corrupt"],
    ["an entity that names a file", XXE, "xml", "unsupported_feature"],
    ["entities that grow", LAUGHS, "xml", "unsupported_feature"],
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

  test("records of Avro that take no bytes are counted", async () => {
    const schema = '{"type":"array","items":"null"}';
    const header = Buffer.concat([
      Buffer.from("Obj\u0001\u0002\u0016avro.schema"),
      Buffer.from([schema.length * 2]),
      Buffer.from(`${schema}\0`),
      Buffer.alloc(16),
    ]);
    // One record: a list of 2^40 nulls.
    const block = Buffer.concat([
      Buffer.from([2, 14]),
      Buffer.from("8080808080800100".slice(0, 14), "hex"),
      Buffer.alloc(16),
    ]);
    expect(await refused(Buffer.concat([header, block]), "avro")).toBe("output_too_large");
  });
});

describe("files that are broken", () => {
  // What JSONTestSuite and the RFC refuse.
  const json = [
    ...["", " ", "[1,]", '{"a":1,}', "{a:1}", "['a']", "[01]", "[1.]", "[.5]", "[+1]", "[-]", "[0x1]", "[1e]", "[NaN]"],
    ...["[1 2]", '["a\tb"]', '["a\nb"]', '["\\x41"]', '["\\u12"]', '["a]', "[1]x", '{"a" 1}', '{"a":1 "b":2}', "[tru]"],
    ...["// c\n1", "[\u00a01]", '{"a":}', "[,1]", "]", "1]", '{"a":1}}'],
  ];
  test.each(json)("JSON that the RFC does not allow is refused: %j", async (text) => {
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
  ] as const)("%s that is not well formed is refused: %s", async (format, text) => {
    expect(await refused(text, format)).toBe("source_corrupt");
  });

  test.each(["msgpack", "cbor", "bson", "avro"] as const)("%s that breaks off anywhere is refused", async (format) => {
    const whole = readFileSync(sampleOf(format));
    for (const length of [1, Math.floor(whole.length / 3), Math.floor(whole.length / 2), whole.length - 1]) {
      expect(await refused(whole.subarray(0, length), format), `${length} bytes`).toBe("source_corrupt");
    }
  });

  test.each(["msgpack", "cbor", "bson", "avro"] as const)(
    "%s with any byte changed is read or refused",
    async (format) => {
      const whole = readFileSync(sampleOf(format));
      for (let at = 0; at < whole.length; at += 7) {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ 0xff;
        const code = await refused(changed, format).catch((error: Error) => error.message);
        expect(["source_corrupt", "unsupported_feature", "output_too_large", "It succeeded."]).toContain(code);
      }
    },
  );
});
