import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { type RawMember, tarOf, zipOf } from "../raw-archives.ts";
import { withTool } from "../tools.ts";
import { type Attack, attack, sample } from "./attack.ts";

/** Archives that expand enormously, contain each other, or have names that lead elsewhere. */

const MEGABYTES = 1_048_576;
const zeros = (megabytes: number): Buffer => Buffer.alloc(megabytes * MEGABYTES);

/** @returns an archive of zeros packed by 7-Zip: 256 MB become some kilobytes */
const packedBy7Zip = (type: "7z" | "xz" | "bzip2"): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), "anyform-packed-"));
  try {
    writeFileSync(join(folder, "zeros"), zeros(256));
    execFileSync("7zz", ["a", `-t${type}`, "-mx1", "out", "zeros"], { cwd: folder, stdio: "ignore" });
    return readFileSync(join(folder, type === "7z" ? "out.7z" : type === "xz" ? "out.xz" : "out.bz2"));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Gzip and Zstandard streams may be concatenated, and are read as one. */
const repeated = (one: Buffer, times: number): Buffer => Buffer.concat(Array.from({ length: times }, () => one));

/** Six levels of ten archives each: a million files of one megabyte. */
const nestedZip = (): Buffer => {
  let inner = zipOf([{ name: "zeros", bytes: zeros(1) }]);
  for (let level = 0; level < 6; level += 1) {
    inner = zipOf(Array.from({ length: 10 }, (_, index) => ({ name: `${index}.zip`, bytes: inner })));
  }
  return inner;
};

const nestedGz = (): Buffer => {
  let inner = zeros(16);
  for (let level = 0; level < 8; level += 1) {
    inner = gzipSync(inner);
  }
  return inner;
};

/** One packed member with 20,000 directory entries (D. Fifield, "A better zip bomb", 2019). */
const overlapping = (): Buffer => {
  const single = zipOf([{ name: "a", bytes: zeros(10) }]);
  const end = single.length - 22;
  const start = single.readUInt32LE(end + 16);
  const record = single.subarray(start, end);
  const times = 20_000;
  const tail = Buffer.from(single.subarray(end));
  tail.writeUInt16LE(times, 8);
  tail.writeUInt16LE(times, 10);
  tail.writeUInt32LE(times * record.length, 12);
  return Buffer.concat([single.subarray(0, start), repeated(record, times), tail]);
};

const TARGETS: readonly FormatId[] = ["zip", "tar", "gz"];

export const archiveBombs: readonly Attack[] = [
  attack("zip", ["tar", "7z"], "nested zips, a million in total", nestedZip),
  attack("zip", ["tar", "7z"], "one member 20,000 times", overlapping),
  attack("gz", ["zip", "zst"], "1 GB of zeros", () => repeated(gzipSync(zeros(16)), 64)),
  attack("gz", ["zip", "zst"], "compressed eight times", nestedGz),
  attack("gz", ["zip"], "200,000 empty streams", () => repeated(gzipSync(""), 200_000)),
  attack("tgz", ["zip", "tar"], "a file of 1 GB", () =>
    Buffer.concat([
      gzipSync(tarOf([{ name: "a", size: 1_024 * MEGABYTES }]).subarray(0, 512)),
      repeated(gzipSync(zeros(16)), 64),
      gzipSync(Buffer.alloc(1_024)),
    ]),
  ),
  attack("tar", ["zip"], "100,000 empty files", () =>
    tarOf(Array.from({ length: 100_000 }, (_, index) => ({ name: `${index}` }))),
  ),
  attack("zst", ["zip", "gz"], "1 GB of zeros", () => repeated(zstdCompressSync(zeros(16)), 64)),
  ...(withTool("7zz") ? (["7z", "xz", "bz2"] as const) : []).map((from) =>
    attack(from, TARGETS, "256 MB of zeros", () => packedBy7Zip(from === "bz2" ? "bzip2" : from)),
  ),
];

/** Names that lead outside, hide what follows, or are empty. */
export const NAMES: readonly (readonly [what: string, name: string])[] = [
  ["leads to a parent folder", "../../../../../../tmp/anyform-escaped"],
  ["leads to a parent folder from inside", "a/../../../../../../../tmp/anyform-escaped"],
  ["starts at the root", "/tmp/anyform-escaped"],
  ["leads to a parent folder with backslashes", "..\\..\\..\\tmp\\anyform-escaped"],
  ["has a drive", "C:\\anyform-escaped"],
  ["leads to a server", "\\\\127.0.0.1\\share\\anyform-escaped"],
  ["contains a null byte", "a.txt\0/../../../../tmp/anyform-escaped"],
  ["reverses its end by a bidi control", "report\u202efdp.exe"],
  ["has 4,000 characters", `${"a".repeat(4_000)}.txt`],
  ["has 4,000 folders", `${"a/".repeat(4_000)}b.txt`],
  ["is a device", "CON"],
  ["is a dot", "."],
  ["is a double dot", ".."],
  ["is empty", ""],
  ["contains a line break", "a\r\nx-injected: 1.txt"],
  ["is half of a surrogate pair", "\ud83d.txt"],
  ["is markup", '"><script>alert(1)</script>.txt'],
  ["is a command", "$(touch /tmp/anyform-escaped).txt"],
  ["is an option", "--output=/tmp/anyform-escaped"],
];

const LINKS: readonly RawMember[] = [
  { name: "link", type: "2", link: "/tmp" },
  { name: "link/anyform-escaped", bytes: "through a link" },
  { name: "hard", type: "1", link: "/etc/passwd" },
  { name: "up", type: "2", link: "../../../../../../etc/passwd" },
  { name: "device", type: "3" },
  { name: "pipe", type: "6" },
];

export const archiveNames: readonly Attack[] = [
  ...NAMES.flatMap(([what, name]) => [
    attack("zip", ["tar", "7z"], `a name ${what}`, () =>
      zipOf([
        { name, bytes: "escaped" },
        { name: "b", bytes: "b" },
      ]),
    ),
    attack("tar", ["zip"], `a name ${what}`, () =>
      tarOf([
        { name, bytes: "escaped" },
        { name: "b", bytes: "b" },
      ]),
    ),
  ]),
  attack("tar", ["zip", "7z", "tgz"], "links that lead outside, and entries below them", () => tarOf(LINKS)),
  attack("zip", ["tar", "7z"], "a link that leads outside", () =>
    zipOf([
      { name: "link", bytes: "/tmp", mode: 0o120_777 },
      { name: "link/anyform-escaped", bytes: "x" },
    ]),
  ),
  attack("7z", ["zip"], "incomplete", () => sample("7z").subarray(0, 60)),
];
