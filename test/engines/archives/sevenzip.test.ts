import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { engines } from "../../../functions/engines/index.ts";
import { oldRarOf, rarOf } from "../../fixtures/old-archives.ts";
import { codeOf } from "../support/convert.ts";
import { tarHolds, zipHolds } from "../support/entries.ts";
import { PLAIN_TREE, SINGLE_BYTES } from "../support/file-tree.ts";
import { sampleOf } from "../support/fixtures.ts";
import { cpioOf, tarOf } from "../support/raw-archives.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, taskOf } from "../support/task.ts";
import { withTool } from "../support/tools.ts";

const scratch = scratchFolder();
const convert = convertingBy("seven-zip", scratch);
const isThere = withTool("7zz");

/** @returns a 7zz archive of a folder with these files, and the links that `plant` creates */
const packedBy7zz = (
  args: readonly string[],
  files: Record<string, string | Buffer>,
  plant = (_: string): void => {},
) => {
  const folder = mkdtempSync(join(scratch.folder, "made-"));
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(join(folder, name), bytes);
  }
  plant(folder);
  const archive = `${scratch.fresh()}.archive`;
  execFileSync("7zz", ["a", ...args, archive, "."], { cwd: folder });
  return archive;
};

test.each([
  ["x.csv.xz", "x.csv"],
  ["report.xz", "report.txt"],
  ["../.xz", "file.txt"],
])("the content of %s is %s in a ZIP", async (name, member) => {
  const output = scratch.fresh();
  const task = taskOf({ input: sampleOf("xz"), output, from: "xz", to: "zip", name }, scratch.folder);
  await (await engines["seven-zip"]()).convert(task);
  expect(await readZip(output, async ({ paths }) => paths)).toEqual([member]);
});

describe("names and links of an archive that 7-Zip unpacks", () => {
  const hostile = cpioOf([
    { name: "../../up.txt", bytes: "1" },
    { name: "/etc/anyform-root.txt", bytes: "2" },
    { name: "out", mode: 0o120_777, bytes: "/tmp" },
    { name: "out/through.txt", bytes: "3" },
    { name: "near", mode: 0o120_777, bytes: "." },
    { name: "near/../../chained.txt", bytes: "4" },
    { name: "plain.txt", bytes: "5" },
  ]);

  test("never reach the disk: files in the step's folder have generated names", async () => {
    const input = scratch.file(hostile);
    const place = mkdtempSync(join(scratch.folder, "place-"));
    const { convert: run } = await engines["seven-zip"]();
    const task = taskOf({ input, output: join(place, "out.zip"), from: "cpio", to: "zip" }, place);
    await run(task).catch(() => {});
    const names = readdirSync(place, { recursive: true, encoding: "utf8" });
    expect(names.filter((name) => /up|through|chained|plain|near|etc/.test(name))).toEqual([]);
    expect(names.every((name) => statSync(join(place, name)).isSymbolicLink() === false)).toBe(true);
  });

  test("are made safe, with a warning", async () => {
    const input = scratch.file(
      cpioOf([
        { name: "../../up.txt", bytes: "1" },
        { name: "/root.txt", bytes: "2" },
      ]),
    );
    const { path, codes } = await convert(input, ["cpio", "zip"]);
    expect(Object.values(await zipHolds(path))).toEqual(["1", "2"]);
    expect(Object.keys(await zipHolds(path)).every((name) => !/\.\.|^\//.test(name))).toBe(true);
    expect(codes).toEqual(["names_changed"]);
  });

  test("that are duplicates are all kept", async () => {
    const input = scratch.file(
      cpioOf([
        { name: "a", bytes: "1" },
        { name: "a", bytes: "2" },
      ]),
    );
    const { path, codes } = await convert(input, ["cpio", "zip"]);
    expect(Object.values(await zipHolds(path)).sort()).toEqual(["1", "2"]);
    expect(codes).toEqual(["names_changed"]);
  });

  test("that are hard links become files with the same content", async () => {
    const input = scratch.file(
      cpioOf([
        { name: "first", bytes: "", number: 7 },
        { name: "d/second", bytes: "text", number: 7 },
        { name: "other", bytes: "1" },
      ]),
    );
    const { path, codes } = await convert(input, ["cpio", "zip"]);
    expect(await zipHolds(path)).toEqual({ first: "text", "d/second": "text", other: "1" });
    expect(codes).toEqual([]);
  });

  test.skipIf(!isThere)("that are links inside the archive are kept in a tar and dropped from a zip", async () => {
    const input = packedBy7zz(["-t7z", "-snl"], { a: "1" }, (folder) => symlinkSync("a", join(folder, "l")));
    const tar = await convert(input, ["7z", "tar"]);
    expect(await tarHolds(tar.path)).toEqual({ a: "file: 1", l: "symlink: a" });
    const zip = await convert(input, ["7z", "zip"]);
    expect(await zipHolds(zip.path)).toEqual({ a: "1" });
    expect([tar.codes, zip.codes]).toEqual([[], ["links_dropped"]]);
  });

  test.skipIf(!isThere)("that are links pointing outside are always dropped", async () => {
    const plant = (folder: string) => symlinkSync("../../../etc/passwd", join(folder, "l"));
    const { path, codes } = await convert(packedBy7zz(["-t7z", "-snl"], { a: "1" }, plant), ["7z", "tar"]);
    expect(await tarHolds(path)).toEqual({ a: "file: 1" });
    expect(codes).toEqual(["links_dropped"]);
  });
});

describe.skipIf(!isThere)("encrypted archives", () => {
  test.each([["-mhe=off"], ["-mhe=on"]])("in 7z (%s) open with the correct password only", async (mode) => {
    const input = packedBy7zz(["-t7z", "-pgeheim 1", mode], { "a.txt": "text" });
    expect(await zipHolds((await convert(input, ["7z", "zip"], { password: "geheim 1" })).path)).toEqual({
      "a.txt": "text",
    });
    expect(await codeOf(convert(input, ["7z", "zip"]))).toBe("password_required");
    expect(await codeOf(convert(input, ["7z", "zip"], { password: "other" }))).toBe("password_required");
  });
});

describe("bombs", () => {
  const zeros = Buffer.alloc(150_000_000);
  test.skipIf(!isThere).each([
    ["7z", "zip", "7z"],
    ["xz", "gz", "xz"],
    ["bz2", "zip", "bzip2"],
    ["txz", "tar", "xz"],
  ] as const)(
    "a %s that unpacks to hundreds of times its size is rejected when converting to %s",
    async (from, to, type) => {
      const input = packedBy7zz([`-t${type}`, "-mx1"], {
        zeros: from === "txz" ? tarOf([{ name: "zeros", bytes: zeros }]) : zeros,
      });
      expect(await codeOf(convert(input, [from, to]))).toBe("archive_unsafe");
    },
  );

  test("rejects 50,001 entries", async () => {
    const members = Array.from({ length: 50_001 }, (_, index) => ({ name: `${index}` }));
    expect(await codeOf(convert(scratch.file(cpioOf(members)), ["cpio", "zip"]))).toBe("archive_unsafe");
  });
});

describe("damage", () => {
  const formats: readonly FormatId[] = [
    "7z",
    "rar",
    "iso",
    "cab",
    "arj",
    "lzh",
    "cpio",
    "rpm",
    "xar",
    "wim",
    "tbz2",
    "txz",
    "xz",
    "bz2",
  ];
  test.each(formats)("rejects a truncated %s", async (format) => {
    const complete = readFileSync(sampleOf(format));
    const input = scratch.file(complete.subarray(0, Math.floor(complete.length * 0.6)));
    expect(await codeOf(convert(input, [format, "zip"]))).toBe("source_corrupt");
  });

  test.each(["7z", "rar", "cab", "arj", "lzh", "xar"] as const)(
    "rejects a %s with changed bytes in a file",
    async (format) => {
      const bytes = Buffer.from(readFileSync(sampleOf(format)));
      const noise = PLAIN_TREE.find(({ path }) => path.endsWith("noise.bin"))?.bytes ?? Buffer.alloc(0);
      const at = bytes.indexOf(noise.subarray(0, 16));
      const middle = at === -1 ? Math.floor(bytes.length / 2) : at + 1_000;
      bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
      const checked = format !== "cab";
      const run = convert(scratch.file(bytes), [format, "zip"]);
      // Checksums are optional in cabinets, and the sample has none.
      expect(checked ? await codeOf(run) : (await run).codes).toEqual(checked ? "source_corrupt" : []);
    },
  );

  test("reports a compressed file named as a tar that is not one", async () => {
    expect(await codeOf(convert(sampleOf("xz"), ["txz", "zip"]))).toBe("source_mismatch");
  });
});

test("reads RAR 4 like RAR 5", async () => {
  const { path } = await convert(scratch.file(oldRarOf(PLAIN_TREE)), ["rar", "zip"]);
  const holds = await zipHolds(path);
  expect(holds["readme.txt"]).toBe(SINGLE_BYTES.toString());
  expect(Object.keys(holds)).toContain("deep/er/noise.bin");
});

test("converts an archive without entries to one without entries", async () => {
  const { path } = await convert(scratch.file(tarOf([])), ["tar", "7z"]);
  expect(await zipHolds((await convert(path, ["7z", "zip"])).path)).toEqual({});
});

test.each(["7z", "txz"] as const)("level 9 makes a smaller %s than level 1", async (to) => {
  // The repetition is farther back than the window of the fast levels.
  const noise = randomBytes(1_500_000);
  const text = Buffer.concat([noise, noise]);
  const input = scratch.file(tarOf([{ name: "text", bytes: text }]));
  const [fast, small] = [
    await convert(input, ["tar", to], { level: 1 }),
    await convert(input, ["tar", to], { level: 9 }),
  ];
  expect(statSync(small.path).size).toBeLessThan(0.6 * statSync(fast.path).size);
});

describe("names longer than a file system allows", () => {
  const name = `${"ü".repeat(200)}/${"日".repeat(150)}.txt`;

  test("are preserved from archive to archive", async () => {
    const input = scratch.file(rarOf([{ path: name, bytes: Buffer.from("1"), mode: 0o644 }]));
    expect(Object.entries(await zipHolds((await convert(input, ["rar", "zip"])).path))).toContainEqual([name, "1"]);
  });

  test("are truncated before their extension for a 7z, with a warning", async () => {
    const input = scratch.file(rarOf([{ path: name, bytes: Buffer.from("1"), mode: 0o644 }]));
    const zip = await convert(input, ["rar", "zip"]);
    const { path, codes } = await convert(zip.path, ["zip", "7z"]);
    const holds = await zipHolds((await convert(path, ["7z", "zip"])).path);
    expect(Object.keys(holds).find((key) => holds[key] === "1")).toMatch(/^ü{123}\/日{81}\.txt$/);
    expect(codes).toEqual(["names_changed"]);
  });
});
