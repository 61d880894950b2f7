import { execFileSync } from "node:child_process";
import { parse as parsePlist } from "plist";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import { makingTrees, thereAndBack } from "../support/data/structured-output.ts";
import { treeReaders } from "../support/data/structured-readers.ts";
import { scratchFolder } from "../support/scratch.ts";
import { PYTHON, withPython, withTool } from "../support/tools.ts";

const scratch = scratchFolder();
const made = makingTrees(scratch);
const andBack = thereAndBack(made);

const DIGITS =
  '{"big":12345678901234567890,"money":1.10,"one":1.0,"exponent":1.5e+300,"long":3.14159265358979323846264338}';

describe("preserved values", () => {
  test.each(["json5", "yaml"] as const)("numbers keep all digits through %s and back", async (format) => {
    expect(await andBack(DIGITS, format)).toEqual({ json: DIGITS, codes: [] });
  });

  test.each(["json5", "yaml", "msgpack", "cbor", "bson"] as const)(
    "keys keep their order and names in %s, including those that JavaScript objects treat specially",
    async (format) => {
      const json = '{"10":"a","2":"b","__proto__":{"x":[]},"constructor":null,"":"empty","a b":{},"y":"no"}';
      expect((await andBack(json, format)).json).toBe(json);
    },
  );

  test("texts that YAML 1.1 or 1.2 could read as another type are quoted", async () => {
    const words = [
      "no",
      "on",
      "y",
      "~",
      "null",
      "007",
      "1e5",
      "0x1F",
      ".inf",
      "1:30",
      "2024-01-31",
      "- a",
      "a: b",
      "a #b",
    ];
    const more = [
      "*a",
      "&a",
      "!a",
      "%a",
      "@a",
      "`a",
      "",
      " a",
      "a ",
      "\n",
      "a\n",
      "  a\nb",
      "a\r\nb",
      "\u0085\u2028",
      "\t",
      "=",
      "<<",
    ];
    const json = JSON.stringify([...words, ...more]);
    const { text, path } = await made(json, ["json", "yaml"]);
    expect(treeReaders.yaml?.(Buffer.from(text))).toEqual([...words, ...more]);
    if (withPython("yaml")) {
      const script = "import json,sys,yaml;print(json.dumps(yaml.safe_load(open(sys.argv[1]))))";
      expect(JSON.parse(execFileSync(PYTHON, ["-c", script, path], { encoding: "utf8" }))).toEqual(JSON.parse(json));
    }
  });

  test("dates and bytes keep their type when both formats support it", async () => {
    const yaml = "at: 2001-12-14t21:59:43.10-05:00\nday: 2024-02-29\nraw: !!binary aGVsbG8=\n";
    const toml = await made(yaml, ["yaml", "toml"]);
    expect(toml.text).toBe('at = 2001-12-14T21:59:43.10-05:00\nday = 2024-02-29\nraw = "aGVsbG8="\n');
    expect(toml.codes).toEqual(["types_as_text"]);
    const cbor = await made(yaml, ["yaml", "cbor"]);
    expect(cbor.codes).toEqual([]);
    expect((await made(cbor.bytes, ["cbor", "yaml"])).text).toBe(
      'at: 2001-12-14T21:59:43.10-05:00\nday: 2024-02-29\nraw: !!binary "aGVsbG8="\n',
    );
    const plist = await made("at: 2001-12-14T21:59:43Z\nraw: !!binary aGVsbG8=\n", ["yaml", "plist"]);
    expect(parsePlist(plist.text)).toEqual({
      at: new Date("2001-12-14T21:59:43Z"),
      raw: new Uint8Array(Buffer.from("hello")),
    });
  });

  test("unsupported types cause a warning, and JSON gets dates and bytes as text", async () => {
    const json = await made("at: 2024-02-29\nraw: !!binary aGVsbG8=\nnot: .nan\n", ["yaml", "json"], { indent: 0 });
    expect(json).toMatchObject({
      text: '{"at":"2024-02-29","raw":"aGVsbG8=","not":"NaN"}\n',
      codes: ["types_as_text"],
    });
    const toml = await made('{"a":null,"b":[1,null]}', ["json", "toml"]);
    expect(toml).toMatchObject({ text: "b = [1]\n", codes: ["nulls_dropped"] });
    expect((await made("[1,2]", ["json", "toml"])).codes).toEqual(["root_wrapped"]);
  });
});

describe("JSON and JSON5", () => {
  test("the last of duplicate keys wins, with a warning", async () => {
    expect(await made('{"a":1,"b":2,"a":3}', ["json", "yaml"])).toMatchObject({
      text: "a: 3\nb: 2\n",
      codes: ["duplicate_keys"],
    });
  });

  test("the indentation option is applied", async () => {
    expect((await made("a: [1, {b: 2}]", ["yaml", "json"], { indent: 4 })).text).toBe(
      '{\n    "a": [\n        1,\n        {\n            "b": 2\n        }\n    ]\n}\n',
    );
    expect((await made("a: [1, {b: 2}]", ["yaml", "json"], { indent: 0 })).text).toBe('{"a":[1,{"b":2}]}\n');
  });

  test("JSON5 and JSON with comments are read by their rules", async () => {
    const json5 = "// c\n{a: 0x1F, 'b': +.5, c: [1,], d: Infinity, e: 'x\\\ny\\x41\\u00e9', $_é: null, /* c */}";
    expect(await made(json5, ["json5", "json"], { indent: 0 })).toMatchObject({
      text: '{"a":31,"b":0.5,"c":[1],"d":"Infinity","e":"xyAé","$_é":null}\n',
      codes: ["comments_dropped", "types_as_text"],
    });
  });

  test.each([
    ["UTF-8 with a byte order mark", Buffer.from('\ufeff{"é":"日"}')],
    ["UTF-16", Buffer.from('\ufeff{"é":"日"}', "utf16le")],
    ["UTF-16 without a byte order mark", Buffer.from('{"é":"日"}', "utf16le")],
  ])("reads text in %s", async (_, bytes) => {
    expect((await made(bytes, ["json", "yaml"])).text).toBe("é: 日\n");
  });
});

describe("YAML", () => {
  test("reads references, merges, tags, comments and several documents", async () => {
    const yaml =
      "%YAML 1.2\n---\nbase: &b {x: 1, y: 2} # c\nchild:\n  <<: *b\n  y: 3\nref: !Ref foo\n? [a, b]\n: 1\n1: 2\n---\n- x\n";
    expect(await made(yaml, ["yaml", "json"], { indent: 0 })).toMatchObject({
      text: '[{"base":{"x":1,"y":2},"child":{"x":1,"y":3},"ref":"foo","[\\"a\\",\\"b\\"]":1,"1":2},["x"]]\n',
      codes: ["comments_dropped", "tags_dropped", "keys_as_text", "documents_as_list"],
    });
  });

  test("plain scalars follow the core schema of YAML 1.2", async () => {
    const yaml = "[no, off, 007, 0o17, 0x1F, ~, True, +1, 1_000, .5, -.inf, 12:30]";
    expect((await made(yaml, ["yaml", "json"], { indent: 0 })).text).toBe(
      '["no","off",7,15,31,null,true,1,"1_000",0.5,"-Infinity","12:30"]\n',
    );
  });

  test("a # in a text is not a comment", async () => {
    expect((await made("run: |\n  #!/bin/sh\n  # x\nq: 'a # b'\n", ["yaml", "json"])).codes).toEqual([]);
  });
});

describe("XML", () => {
  test("attributes, lists, text and order map to an object by fixed rules", async () => {
    const xml =
      '<?xml version="1.0"?><!DOCTYPE r><r a="1"><x>007</x><y xmlns:n="u" n:b="&lt;&#233;">t</y><x> 1.10 </x><z/><m>a<b>c</b>d</m></r>';
    expect(await made(xml, ["xml", "json"], { indent: 0 })).toMatchObject({
      text: '{"r":{"@a":"1","x":["007"," 1.10 "],"y":{"@xmlns:n":"u","@n:b":"<é","#text":"t"},"z":"","m":{"b":"c","#text":"ad"}}}\n',
      codes: ["mixed_content_flattened", "order_changed"],
    });
  });

  test("an object becomes a document with valid names that another parser reads", async () => {
    const json = '{"@id":5,"a b":[1,{"#text":"<&>\\"","@k":"<\\""}],"2":null,"x:y":[],"p":{"q":[[1,2],[3]]}}';
    const { text, codes, path } = await made(json, ["json", "xml"]);
    expect(treeReaders.xml?.(Buffer.from(text.replace(/\n\s*/g, "")))).toMatchObject({
      root: {
        "@id": "5",
        a_b: ["1", { "#text": '<&>"', "@k": '<"' }],
        _2: { "@xsi:nil": "true" },
        p: { q: [{ item: ["1", "2"] }, { item: "3" }] },
      },
    });
    expect(codes).toEqual(["names_changed", "empty_lists_dropped"]);
    if (withTool("xmllint")) {
      execFileSync("xmllint", ["--noout", "--nonet", path]);
    }
  });

  test("uses the encoding in the declaration", async () => {
    const xml = Buffer.from('<?xml version="1.0" encoding="ISO-8859-2"?><a>\xb1\xe6</a>', "latin1");
    expect((await made(xml, ["xml", "yaml"])).text).toBe("a: ąć\n");
  });
});

describe("format detection", () => {
  test.each(["msgpack", "cbor", "bson"] as const)(
    "a tiny %s that looks like text is detected by its name",
    async (format) => {
      const { bytes } = await made('{"hello":"world"}', ["json", format]);
      expect(detectFormat(bytes, { filename: `a.${format}` })).toBe(format);
    },
  );

  test("ambiguous texts are detected by their names", () => {
    expect(detectFormat(Buffer.from('{"a":1}'), { filename: "a.unknown" })).toBe("json");
    expect(detectFormat(Buffer.from("[1, 2] # c"), { filename: "a.yml" })).toBe("yaml");
    expect(detectFormat(Buffer.from('{"a": 1} // c'), { filename: "a.jsonc" })).toBe("json5");
  });
});

describe("INI and properties", () => {
  test("reads sections, lists, quotes, both separators and continuation lines", async () => {
    const ini =
      '; c\ntop=1\n[a.b]\nx = "q \\"u\\" # no"\ny: z=1\nl[] = 1\nl[] = 2\nlong = a\n  b\n[remote "o"]\n\turl = https://e.x/\nbare\n';
    expect(await made(ini, ["ini", "json"], { indent: 0 })).toMatchObject({
      text: '{"top":"1","a.b":{"x":"q \\"u\\" # no","y":"z=1","l":["1","2"],"long":"a\\nb"},"remote \\"o\\"":{"url":"https://e.x/","bare":null}}\n',
      codes: ["comments_dropped"],
    });
  });

  test("values nested deeper than a section get a name with dots, with a warning", async () => {
    expect(await made('{"a":1,"s":{"b":" x","t":{"c":null,"d":[1,2]}}}', ["json", "ini"])).toMatchObject({
      text: 'a = 1\n\n[s]\nb = " x"\n\n[s.t]\nd[] = 1\nd[] = 2\n',
      codes: ["structure_flattened", "nulls_dropped"],
    });
  });

  test("reads escapes, separators and continuation lines as Java does", async () => {
    const properties = "! c\na.b = 1\nc\\ d: x\\\n   y\n\\u00e9 \\u65e5\\n\nempty\nk==v\n";
    expect(await made(properties, ["properties", "json"], { indent: 0 })).toMatchObject({
      text: '{"a.b":"1","c d":"xy","é":"日\\n","empty":"","k":"=v"}\n',
      codes: ["comments_dropped"],
    });
    expect((await made('{"a b":{"é":" x\\n"},"l":[1]}', ["json", "properties"])).text).toBe(
      "a\\ b.\\u00e9 = \\ x\\n\nl.0 = 1\n",
    );
  });
});
