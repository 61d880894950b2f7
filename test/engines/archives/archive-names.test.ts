import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { codeOf } from "../support/convert.ts";
import { tarHolds, zipHolds } from "../support/entries.ts";
import { tarOf, zipOf } from "../support/raw-archives.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("archive", scratch);

const throughZip = async (...names: (string | Buffer)[]) => {
  const { path, codes } = await convert(scratch.file(zipOf(names.map((name) => ({ name, bytes: "x" })))), [
    "zip",
    "tar",
  ]);
  return { names: Object.keys(await tarHolds(path)), codes };
};

describe("names that point outside the archive", () => {
  const cases: readonly [string, string, string][] = [
    ["up", "../../evil.txt", "evil.txt"],
    ["from the root", "/etc/passwd", "etc/passwd"],
    ["up from inside", "a/../../b.txt", "a/b.txt"],
    ["to a drive", "C:/Windows/evil.dll", "Windows/evil.dll"],
    ["up, with backslashes", "..\\..\\evil.txt", "evil.txt"],
    ["with control characters", "a\u0007\nb.txt", "a__b.txt"],
  ];
  test.each(cases)("%s are made safe, with a warning", async (_, name, safe) => {
    expect(await throughZip(name)).toEqual({ names: [safe], codes: ["names_changed"] });
  });

  test.each(["..", "/..", "../.."])("%s, with nothing left after cleaning, is rejected", async (name) => {
    expect(await codeOf(throughZip(name))).toBe("archive_unsafe");
  });

  test("are made safe in a tar, too, where a backslash is not treated as a separator", async () => {
    const input = scratch.file(tarOf([{ name: "../a", bytes: "1" }, { name: "..\\b", bytes: "2" }, { name: "/c/d" }]));
    const { path, codes } = await convert(input, ["tar", "zip"]);
    expect(await zipHolds(path)).toEqual({ a: "1", ".._b": "2", "c/d": "" });
    expect(codes).toEqual(["names_changed"]);
  });

  test("a leading ./ is removed without a warning", async () => {
    const input = scratch.file(
      tarOf([
        { name: "./", type: "5" },
        { name: "./a.txt", bytes: "1" },
      ]),
    );
    const { path, codes } = await convert(input, ["tar", "zip"]);
    expect(await zipHolds(path)).toEqual({ "a.txt": "1" });
    expect(codes).toEqual([]);
  });

  test("an extremely long path is rejected", async () => {
    expect(await codeOf(throughZip("a/".repeat(300)))).toBe("archive_unsafe");
    expect(await codeOf(throughZip("a".repeat(5_000)))).toBe("archive_unsafe");
  });
});

describe("duplicate names", () => {
  test("get numbers, so that no file is lost, and folders are created once", async () => {
    const input = scratch.file(
      tarOf([
        { name: "a.txt", bytes: "1" },
        { name: "a.txt", bytes: "2" },
        { name: "d/", type: "5" },
        { name: "d/", type: "5" },
        { name: "A.txt", bytes: "3" },
      ]),
    );
    const { path, codes } = await convert(input, ["tar", "zip"]);
    expect(await zipHolds(path)).toEqual({ "a.txt": "1", "a (2).txt": "2", "d/": undefined, "A.txt": "3" });
    expect(codes).toEqual(["names_changed"]);
  });

  test("a folder with the name of a file gets another name", async () => {
    const input = scratch.file(
      tarOf([
        { name: "a", bytes: "1" },
        { name: "a/b", bytes: "2" },
        { name: "a/c", bytes: "3" },
      ]),
    );
    const { path } = await convert(input, ["tar", "zip"]);
    expect(await zipHolds(path)).toEqual({ a: "1", "a (2)/b": "2", "a (2)/c": "3" });
  });
});

describe("names in legacy encodings", () => {
  const cases: readonly [string, string, readonly string[]][] = [
    ["Russian in DOS encoding", "8fe0a8a2a5e22e747874 84aea3aea2aee02e646f63", ["Привет.txt", "Договор.doc"]],
    ["Russian in Windows encoding", "cff0e8e2e5f22e747874", ["Привет.txt"]],
    ["Japanese", "8365835883672e747874 93fa967b8cea2e747874", ["テスト.txt", "日本語.txt"]],
    ["Chinese", "cec4bcfe2e747874 d0c2bda8cec4bcfebcd0", ["文件.txt", "新建文件夹"]],
    ["Chinese in Big5", "b773bc57b8eaaec6a7a8 c163c5e9a4a4a4e5bba1a9fa2e747874", ["新增資料夾", "繁體中文說明.txt"]],
    ["Korean", "c7d1b1dbb9aebcad2e747874 bbf520c6fab4f5", ["한글문서.txt", "새 폴더"]],
    ["UTF-8 without its flag", "6e61c3af76652e747874 e697a5", ["naïve.txt", "日"]],
  ];
  test.each(cases)("decodes %s", async (_, hex, names) => {
    const raw = hex.split(" ").map((name) => Buffer.from(name, "hex"));
    expect((await throughZip(...raw)).names).toEqual(names);
  });

  test("decodes accented letters of Western DOS in words of Latin letters", async () => {
    const raw = [Buffer.from("f\x81r dich.txt", "latin1"), Buffer.from("na\x8bve caf\x82.txt", "latin1")];
    expect((await throughZip(...raw)).names).toEqual(["für dich.txt", "naïve café.txt"]);
  });

  test("prefers a UTF-8 name over the legacy one when it belongs to the same entry", async () => {
    const raw = Buffer.from([0x84, 0x2e, 0x74]);
    const field = (name: Buffer) => {
      const text = Buffer.from("\u00e4.t");
      const data = Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), text]);
      data.writeUInt32LE(crc32(name), 1);
      return Buffer.concat([Buffer.from([0x75, 0x70, data.length, 0]), data]);
    };
    const right = zipOf([{ name: raw, extra: field(raw) }]);
    const { path } = await convert(scratch.file(right), ["zip", "tar"]);
    expect(Object.keys(await tarHolds(path))).toEqual(["ä.t"]);
    const stale = zipOf([{ name: "other.t", extra: field(raw) }]);
    const { path: other } = await convert(scratch.file(stale), ["zip", "tar"]);
    expect(Object.keys(await tarHolds(other))).toEqual(["other.t"]);
  });

  test("decodes names in a tar, too", async () => {
    const input = scratch.file(tarOf([{ name: Buffer.from("cff0e8e2e5f2", "hex") }]));
    expect(Object.keys(await zipHolds((await convert(input, ["tar", "zip"])).path))).toEqual(["Привет"]);
  });
});

describe("links", () => {
  const links = tarOf([
    { name: "d/file", bytes: "1" },
    { name: "d/near", type: "2", link: "file" },
    { name: "d/up", type: "2", link: "../d/file" },
    { name: "d/out", type: "2", link: "../../etc/passwd" },
    { name: "root", type: "2", link: "/etc/passwd" },
    { name: "round", type: "2", link: "d/../../etc" },
    { name: "second", type: "1", link: "./d/file" },
    { name: "stray", type: "1", link: "/etc/passwd" },
    { name: "device", type: "3" },
  ]);

  test("that stay inside are kept from tar to tar, and others are dropped with a warning", async () => {
    const { path, codes } = await convert(scratch.file(links), ["tar", "tgz"]);
    expect(await tarHolds(path, true)).toEqual({
      "d/file": "file: 1",
      "d/near": "symlink: file",
      "d/up": "symlink: ../d/file",
      second: "link: d/file",
    });
    expect(codes).toEqual(["links_dropped"]);
  });

  test("are all dropped when the result does not support them", async () => {
    const { path, codes } = await convert(scratch.file(links), ["tar", "zip"]);
    expect(await zipHolds(path)).toEqual({ "d/file": "1" });
    expect(codes).toEqual(["links_dropped"]);
  });

  test("in a zip are read as links, not files", async () => {
    const input = scratch.file(
      zipOf([
        { name: "a", bytes: "1", mode: 0o100_644 },
        { name: "l", bytes: "a", mode: 0o120_777 },
        { name: "out", bytes: "../a", mode: 0o120_777 },
      ]),
    );
    const { path, codes } = await convert(input, ["zip", "tar"]);
    expect(await tarHolds(path)).toEqual({ a: "file: 1", l: "symlink: a" });
    expect(codes).toEqual(["links_dropped"]);
  });

  test("are never written through: entries below one go to another folder", async () => {
    const input = scratch.file(
      tarOf([
        { name: "l", type: "2", link: "d" },
        { name: "l/file", bytes: "1" },
        { name: "l/chain", type: "2", link: "../../x" },
      ]),
    );
    const { path } = await convert(input, ["tar", "tgz"]);
    expect(await tarHolds(path, true)).toEqual({ l: "symlink: d", "l (2)/file": "file: 1" });
  });
});
