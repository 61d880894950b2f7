import { bsonCodec } from "../../../functions/engines/data/structured/binary/bson.ts";
import { cborCodec } from "../../../functions/engines/data/structured/binary/cbor.ts";
import { msgpackCodec } from "../../../functions/engines/data/structured/binary/msgpack.ts";
import type { Codec } from "../../../functions/engines/data/structured/codec.ts";
import { jsonCodec } from "../../../functions/engines/data/structured/json/json.ts";
import { json5Codec } from "../../../functions/engines/data/structured/json/json5.ts";
import { newNotes } from "../../../functions/engines/data/structured/notes.ts";
import { plistCodec } from "../../../functions/engines/data/structured/plist/plist.ts";
import { iniCodec } from "../../../functions/engines/data/structured/text/ini.ts";
import { propertiesCodec } from "../../../functions/engines/data/structured/text/properties.ts";
import { tomlCodec } from "../../../functions/engines/data/structured/text/toml.ts";
import { xmlCodec } from "../../../functions/engines/data/structured/text/xml.ts";
import { newBudget, type Tree } from "../../../functions/engines/data/structured/tree.ts";
import { yamlCodec } from "../../../functions/engines/data/structured/yaml/yaml.ts";
import { sample } from "../../engines/support/attacks/attack.ts";
import type { Random } from "../../support/random.ts";
import { binaryPlistOf, cborOf, msgpackOf } from "../grammars/binary-structured.ts";
import { broken, type Parser, refusing } from "../parser.ts";

type Row = readonly [name: string, codec: Codec, words: readonly string[]];

const MARKS = ["{", "}", "[", "]", ":", ",", '"', "null", "1.10", "\\u0000", "\\ud800"];

const ROWS: readonly Row[] = [
  ["json", jsonCodec, [...MARKS, '"__proto__":', "123456789012345678901234567890", "1e999"]],
  ["json5", json5Codec, [...MARKS, "// c\n", "/*", "*/", "'", "+Infinity", "0x10", ".5", "\\\n"]],
  [
    "yaml",
    yamlCodec,
    [
      ...MARKS,
      "&a ",
      "*a",
      "<<: ",
      "--- ",
      "...",
      "? ",
      "- ",
      "|+\n",
      ">-\n",
      "!!binary ",
      "!!set ",
      "~",
      "%YAML 1.2\n",
    ],
  ],
  [
    "toml",
    tomlCodec,
    [...MARKS, "[[a]]", "[a.b]", "a.b = ", '"""', "'''", "1979-05-27T07:32:00Z", "07:32:00", "inf", "0b1", "1_0"],
  ],
  [
    "xml",
    xmlCodec,
    [
      "<a>",
      "</a>",
      "<a/>",
      ' b="',
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "&#0;",
      "&amp;",
      "<!DOCTYPE a [",
      "]>",
      "<?x ?>",
    ],
  ],
  [
    "plist",
    plistCodec,
    ["<dict>", "</dict>", "<key>", "</key>", "<array>", "<data>", "<date>", "<integer>", "<real>", "bplist00"],
  ],
  ["msgpack", msgpackCodec, ["\u0081", "\xc7", "\xdd\xff\xff\xff\xff"]],
  ["cbor", cborCodec, ["\xbf", "\xff", "\xc2", "\xd8"]],
  ["bson", bsonCodec, ["\x03a\0", "\x05\0\0\0\0", "\x13"]],
  ["ini", iniCodec, ["[a]", "[a.b]", "a=", ";", "#", '"', "\\", "[]="]],
  ["properties", propertiesCodec, ["a=", "a:", "a ", "\\", "\\u00e9", "#", "!", "\\\n  "]],
];

const readBy = async (codec: Codec, bytes: Buffer): Promise<Tree> =>
  codec.read({
    bytes: async () => bytes,
    text: async () => bytes.toString(),
    notes: newNotes(),
    budget: newBudget(),
  });

const writtenBy = (codec: Codec, tree: Tree, indent: number): Buffer => {
  const written = codec.write(tree, { indent, notes: newNotes() });
  return Buffer.concat(Array.isArray(written) ? written : [written]);
};

const TARGETS = ROWS.map(([, codec]) => codec);

/** Data can be written in another format or is rejected there, and a format reads its own output unchanged. */
const holding =
  (codec: Codec) =>
  async (input: Buffer): Promise<void> => {
    const tree = await readBy(codec, input);
    // One target per input: all of them would take ten times as long, and each is used equally often.
    await saidAgain(TARGETS[input.length % TARGETS.length] ?? codec, tree);
    await saidAgain(codec, tree);
  };

/** Our own output is always accepted. */
const readAgain = (codec: Codec, written: Buffer): Promise<Tree> =>
  readBy(codec, written).catch((cause: unknown) => {
    throw broken("Written data can be read", [String(cause), written.toString("latin1")]);
  });

const saidAgain = async (codec: Codec, tree: Tree): Promise<void> => {
  // A format may not be able to write the data, and then says so.
  const first = refusing(() => writtenBy(codec, tree, 2));
  if (first === undefined) {
    return;
  }
  const once = await readAgain(codec, first);
  const second = writtenBy(codec, once, 2);
  const twice = writtenBy(codec, await readAgain(codec, second), 2);
  if (!second.equals(twice)) {
    throw broken("Written data is written again unchanged", [second.toString("latin1"), twice.toString("latin1")]);
  }
};

/** Generators of inputs with consistent parts. */
const MAKERS: Readonly<Record<string, (random: Random) => Buffer>> = {
  msgpack: msgpackOf,
  cbor: cborOf,
  plist: binaryPlistOf,
};

const changeOf = (name: string): Pick<Parser, "change"> => {
  const make = MAKERS[name];
  return make === undefined ? {} : { change: (_, random) => make(random) };
};

export const structuredParsers: readonly Parser[] = ROWS.map(([name, codec, words]) => ({
  name,
  ...changeOf(name),
  sources: [
    ...["", "text/", "binary/", "json/"].map((folder) => `functions/engines/data/structured/${folder}${name}`),
    ...(name === "xml" ? ["functions/engines/data/text/xml.ts"] : []),
  ],
  samples: () => [sample(name)],
  words,
  hold: holding(codec),
}));
