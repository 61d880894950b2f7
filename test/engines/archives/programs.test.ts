import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { engineIds } from "../../../functions/domain/conversions/engines.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { type ConverterPool, converterPool } from "../../../functions/engines/core/run.ts";
import { chooseEnclosure } from "../../../functions/engines/core/sandbox/choose.ts";
import { enclosures } from "../../../functions/engines/core/sandbox/enclosure.ts";
import { rarOf } from "../../fixtures/old-archives.ts";
import { codeOf } from "../support/convert.ts";
import { tarHolds, zipHolds } from "../support/entries.ts";
import { sampleOf } from "../support/fixtures.ts";
import { cpioOf, tarOf } from "../support/raw-archives.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

/** What 7-Zip and unar must not do, and errors that they do not report. */

const scratch = scratchFolder();
const convert = convertingBy("seven-zip", scratch);
const isThere = isInstalled("seven-zip");

const ENTRY = join(import.meta.dirname, "../../../functions/engines/core/converter.ts");
const surroundings = {
  scratchFolder: mkdtempSync(join(scratch.folder, "sandbox-")),
  entry: ENTRY,
  environment: process.env,
};
const available = await Promise.all(
  enclosures.map(async (enclosure) => {
    const { refused } = await chooseEnclosure("auto", surroundings, [enclosure]);
    return { enclosure, name: enclosure.name, reason: refused.join() };
  }),
);
const pools: ConverterPool[] = [];
afterAll(() => Promise.all(pools.map((pool) => pool.stop())));
afterEach(() => vi.unstubAllEnvs());

describe.skipIf(!isThere).each(available.filter(({ reason }) => reason === ""))("within $name", ({ enclosure }) => {
  test.each(["cpio", "tar"] as const)(
    "a %s writes nothing outside of its job's folder through links, parent folders or absolute paths",
    async (from) => {
      const outside = mkdtempSync(join(scratch.folder, "outside-"));
      const folder = join(outside, "jobs", "job");
      mkdirSync(folder, { recursive: true });
      const link = from === "cpio" ? { mode: 0o120_777, bytes: outside } : { type: "2", link: outside };
      const members = [
        { name: "out", ...link },
        { name: "out/through.txt", bytes: "1" },
        { name: "../../../up.txt", bytes: "2" },
        { name: `${outside}/root.txt`, bytes: "3" },
        { name: "plain.txt", bytes: "4" },
      ];
      const input = scratch.file(from === "cpio" ? cpioOf(members) : tarOf(members));
      const pool = converterPool({ size: 1, entry: ENTRY, enclosure, scratchFolder: surroundings.scratchFolder });
      pools.push(pool);
      const steps = [{ engine: "seven-zip", from, to: "7z", options: [] }] as const;
      const { output } = await pool.run({ input, folder, steps, options: {} }, { timeoutMs: 55_000 });
      expect(readdirSync(outside)).toEqual(["jobs"]);
      expect(readdirSync(join(outside, "jobs"))).toEqual(["job"]);
      const { path } = await convert(output, ["7z", "tar"]);
      const holds = await tarHolds(path);
      const files = Object.values(holds).filter((text) => text !== "directory: ");
      expect(files.toSorted()).toEqual(["file: 1", "file: 2", "file: 3", "file: 4"]);
    },
  );
});

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const block = (...bytes: number[]): Buffer => {
  const sized = Buffer.from([bytes.length, ...bytes]);
  return Buffer.concat([u32(crc32(sized)), sized]);
};
/** @returns a RAR 5 header without data that refers to another entry: a symlink (1), a hard link (4), a copy (5) */
const redirected = (kind: number, name: string, target: string, mode: number): Buffer => {
  const record = [5, kind, 0, target.length, ...Buffer.from(target)];
  const vint = (value: number): number[] => (value < 128 ? [value] : [(value & 0x7f) | 0x80, ...vint(value >>> 7)]);
  const extra = [record.length, ...record];
  return block(2, 1, extra.length, 0, 0, ...vint(mode), 0, 1, name.length, ...Buffer.from(name), ...extra.slice(0));
};
/** @returns the RAR with this block inserted before its last one */
const withBlocks = (rar: Buffer, ...blocks: readonly Buffer[]): Buffer =>
  Buffer.concat([rar.subarray(0, -8), ...blocks, rar.subarray(-8)]);

describe.skipIf(!isThere)("a RAR", () => {
  const files = [
    { path: "a", bytes: Buffer.from("one"), mode: 0o755 },
    { path: "b", bytes: Buffer.from("two"), mode: 0o600 },
  ];
  const rar = rarOf(files);

  test("keeps links that stay inside and drops others", async () => {
    const links = withBlocks(
      rar,
      redirected(1, "l", "a", 0o120_777),
      redirected(1, "out", "../../etc/passwd", 0o120_777),
    );
    const { path, codes } = await convert(scratch.file(links), ["rar", "tar"]);
    expect(await tarHolds(path)).toEqual({ a: "file: one", b: "file: two", l: "symlink: a" });
    expect(codes).toEqual(["links_dropped"]);
  });

  test("has hard links and copies as files with the same content", async () => {
    const copies = withBlocks(rar, redirected(4, "second", "b", 0o100_644), redirected(5, "copy", "a", 0o100_644));
    const { path, codes } = await convert(scratch.file(copies), ["rar", "zip"]);
    expect(await zipHolds(path)).toEqual({ a: "one", b: "two", second: "two", copy: "one" });
    expect(codes).toEqual([]);
  });

  test("with a duplicate name keeps both files", async () => {
    const { path } = await convert(scratch.file(rarOf([...files, ...files])), ["rar", "zip"]);
    expect(Object.values(await zipHolds(path))).toEqual(["one", "two", "one", "two"]);
  });

  test("that is truncated between two files is rejected, although unar reports success", async () => {
    const cut = rarOf(files.slice(0, 1)).subarray(0, -8);
    expect(await codeOf(convert(scratch.file(cut), ["rar", "zip"]))).toBe("source_corrupt");
  });

  test("with a changed byte in a file is rejected, although unar reports success", async () => {
    const bad = Buffer.from(rar);
    bad.write("ONE", bad.indexOf("one"));
    expect(await codeOf(convert(scratch.file(bad), ["rar", "zip"]))).toBe("source_corrupt");
  });
});

test("rejects an RPM with a wrong number of entries as damaged", async (context) => {
  context.skip(!isThere, "7-Zip is not installed.");
  const bytes = Buffer.from(readFileSync(sampleOf("rpm")));
  // After the lead, the number of entries of the first header (rpm.org, "RPM V4 Package format").
  bytes.writeUInt32BE(0x7fff_ffff, 104);
  expect(await codeOf(convert(scratch.file(bytes), ["rpm", "zip"]))).toBe("source_corrupt");
});

describe("a zip that Node cannot unpack", () => {
  test.skipIf(!isThere)("is rejected as unsupported when 7-Zip is not installed", async () => {
    const folder = mkdtempSync(join(scratch.folder, "made-"));
    writeFileSync(join(folder, "a.txt"), "text ".repeat(1_000));
    execFileSync("7zz", ["a", "-tzip", "-mm=LZMA", "made.zip", "a.txt"], { cwd: folder });
    vi.stubEnv("PATH", scratch.folder);
    expect(await codeOf(convertingBy("archive", scratch)(join(folder, "made.zip"), ["zip", "tar"]))).toBe(
      "unsupported_feature",
    );
  });

  test("uses the 7-Zip lane when a password is given, and otherwise the fast one", () => {
    const routes = planRoutes(new Set(engineIds));
    for (const to of ["tar", "tgz", "tzst", "cbz"] as const) {
      expect(routes.find("zip", to, ["password"])).toMatchObject({
        lane: "documents",
        steps: [{ engine: "seven-zip" }],
      });
      expect(routes.find("zip", to)).toMatchObject({ lane: "fast", steps: [{ engine: "archive" }] });
    }
  });
});
