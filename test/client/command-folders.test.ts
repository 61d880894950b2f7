import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { progressBar, type Screen } from "../../client/command/progress-bar.ts";
import { durationText, sizeText } from "../../client/command/sizes.ts";
import { anyform, sources } from "./support/command.ts";
import { commandBench } from "./support/command-bench.ts";
import { fixture } from "./support/service.ts";

const at = commandBench();

/** Copies fixtures to these paths. */
const put = (paths: Readonly<Record<string, string>>): void => {
  for (const [path, name] of Object.entries(paths)) {
    mkdirSync(dirname(join(at.shell.cwd, path)), { recursive: true });
    copyFileSync(fixture(name), join(at.shell.cwd, path));
  }
};

const filesBelow = (folder: string): string[] =>
  readdirSync(join(at.shell.cwd, folder), { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(at.shell.cwd, folder).length + 1))
    .sort();

const used = async (): Promise<number> => (await at.bench.client.account()).quota.used;

describe("anyform convert INPUT OUTPUT", () => {
  it("takes the target from the extension of the output, also between options", async () => {
    put({ "a.png": "sample.png" });
    expect((await anyform(at.shell, ["convert", "a.png", "new/b.jpg"])).code).toBe(0);
    expect((await sharp(join(at.shell.cwd, "new/b.jpg")).metadata()).format).toBe("jpeg");
    expect((await anyform(at.shell, ["convert", "a.png", "--lossless", "c.webp", "--width", "5"])).code).toBe(0);
    expect((await sharp(join(at.shell.cwd, "c.webp")).metadata()).width).toBe(5);
    expect((await anyform(at.shell, ["convert", "-", "e.jpg"], readFileSync(fixture("sample.png")))).code).toBe(0);
    expect((await anyform(at.shell, ["convert", "a.png", "c.webp", "all.pdf", "--merge"])).code).toBe(0);
    expect(filesBelow("")).toEqual(["a.png", "all.pdf", "c.webp", "e.jpg", "new/b.jpg"]);
  });

  it("explains that an existing output may be an input, and replaces or skips it on request", async () => {
    put({ "a.png": "sample.png", "b.jpg": "sample.jpg" });
    const before = readFileSync(join(at.shell.cwd, "b.jpg"));
    const refused = await anyform(at.shell, ["convert", "a.png", "b.jpg"]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      "anyform: b.jpg already exists. Use --to FORMAT to convert it, too, or --force to replace it with the result.\n",
    ]);
    expect((await anyform(at.shell, ["convert", "a.png", "b.jpg", "--skip-existing"])).code).toBe(0);
    expect(readFileSync(join(at.shell.cwd, "b.jpg")).equals(before)).toBe(true);
    expect((await anyform(at.shell, ["convert", "a.png", "b.jpg", "--force"])).code).toBe(0);
    expect(readFileSync(join(at.shell.cwd, "b.jpg")).equals(before)).toBe(false);
  });
});

describe("anyform convert FOLDER", () => {
  it("converts the files below the folder that can be converted, and keeps its subfolders", async () => {
    put({ "in/a.png": "sample.png", "in/x/y/b.JPG": "sample.jpg", "in/.hidden.png": "sample.png" });
    writeFileSync(join(at.shell.cwd, "in/notes.unknown"), "text");
    symlinkSync(at.shell.cwd, join(at.shell.cwd, "in/loop"));
    const first = await anyform(at.shell, ["convert", "in", "--to", "webp", "--out", "in/out"]);
    expect([first.code, filesBelow("in/out")]).toEqual([0, ["a.webp", "x/y/b.webp"]]);
    const before = await used();
    const again = await anyform(at.shell, ["convert", "in", "--to", "webp", "--out", "in/out"]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/^0 converted, 2 failed in /m)]);
    const skipped = await anyform(at.shell, ["convert", "in", "--to", "webp", "--out", "in/out", "--skip-existing"]);
    expect([skipped.code, skipped.stderr]).toEqual([0, expect.stringMatching(/^0 converted, 2 skipped in \S+ s\n$/)]);
    expect(await used()).toBe(before);
  });

  it("leaves out files of the target format next to their results", async () => {
    put({ "in/a.png": "sample.png", "in/b.jpg": "sample.jpg" });
    const { code, stdout } = await anyform(at.shell, ["convert", "in/", "--to", "jpg", "--json"]);
    expect([code, JSON.parse(stdout.toString())]).toEqual([0, expect.objectContaining({ output: "in/a.jpg" })]);
    const none = await anyform(at.shell, ["convert", "in/", "--to", "mp3"]);
    expect([none.code, none.stderr]).toEqual([2, "anyform: in/ has no files that can be converted to mp3.\n"]);
    expect((await anyform(at.shell, ["convert", "in/", "--to", "webp", "--out", "in/a.png"])).code).toBe(2);
    const before = await used();
    const option = await anyform(at.shell, ["convert", "in/", "--to", "webp", "--out", "out", "--dpi", "100"]);
    expect([option.code, option.stderr]).toEqual([2, expect.stringContaining('Unknown option "dpi"')]);
    expect(await used()).toBe(before);
  });
});

describe("errors that affect all inputs", () => {
  it.each([
    ["a wrong key", { ANYFORM_API_KEY: "af_live_wrong" }, 3],
    ["an unreachable service", { ANYFORM_RETRIES: "0", ANYFORM_URL: "http://127.0.0.1:1" }, 5],
  ])("are printed once: %s", async (_, env, exit) => {
    put({ "in/a.png": "sample.png", "in/b.png": "alpha.png", "in/c.png": "sample.png" });
    const broken = { ...at.shell, env: { ...at.shell.env, ...env } };
    const { code, stderr } = await anyform(broken, ["convert", "in", "--to", "jpg"]);
    expect([code, stderr.match(/^anyform: /gm)?.length, /^in\/[abc]/m.test(stderr)]).toEqual([exit, 1, false]);
    expect(existsSync(join(at.shell.cwd, "in/a.jpg"))).toBe(false);
  });

  it("are in the line of each input with --json", async () => {
    put({ "in/a.png": "sample.png", "in/b.png": "alpha.png" });
    const broken = { ...at.shell, env: { ...at.shell.env, ANYFORM_API_KEY: "af_live_wrong" } };
    const { code, stdout, stderr } = await anyform(broken, ["convert", "in", "--to", "jpg", "--json"]);
    const lines = stdout.toString().trim().split("\n");
    expect([code, stderr, lines.length]).toEqual([3, "", 2]);
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({ status: "failed", error: { code: "invalid_api_key" } });
    }
  });
});

const ESCAPE = "\u001b[";

/** Runs the command in a pseudo-terminal. @returns what the terminal receives */
const inTerminal = async (env: Readonly<Record<string, string>>, args: string): Promise<string> => {
  const command = `stty cols 50; ${sources.join(" ")} ${args}`;
  const all = { ...process.env, TERM: "xterm", CI: "", NO_COLOR: "", ...at.shell.env, ...env };
  const options = { cwd: at.shell.cwd, env: all };
  return (await promisify(execFile)("script", ["-qec", command, "/dev/null"], options)).stdout;
};

describe("the progress bar", () => {
  it("is drawn on a terminal within its width, and removed at the end", async () => {
    put({ [`in/${"long-name-".repeat(12)}.png`]: "sample.png", "in/b.png": "alpha.png" });
    const seen = await inTerminal({}, "convert in --to jpg");
    const drawn = seen.split(`\r${ESCAPE}2K`).filter((text) => text.includes("░") || text.includes("█"));
    expect(drawn.length).toBeGreaterThan(0);
    for (const text of drawn) {
      const visible = text.replaceAll(`${ESCAPE}36m`, "").replaceAll(`${ESCAPE}39m`, "").split("\r\n")[0] ?? "";
      expect([visible.length <= 49, visible]).toEqual([true, expect.stringMatching(/^[█░]+ +\d+ % \d\/2 {2}/)]);
    }
    const last = seen.split(`\r${ESCAPE}2K`).at(-1);
    expect(last).toMatch(/^2 converted, .*\r\n$/);
  });

  it.each([
    ["CI", { CI: "true" }],
    ["a terminal that cannot move its cursor", { TERM: "dumb" }],
    ["--quiet", {}, "--quiet"],
  ])("is not drawn with %s", async (_, env, flag = "") => {
    put({ "a.png": "sample.png" });
    expect(await inTerminal(env, `convert a.png --to jpg ${flag}`)).not.toContain(ESCAPE);
  });

  it("has no color with NO_COLOR", async () => {
    put({ "a.png": "sample.png" });
    const seen = await inTerminal({ NO_COLOR: "1" }, "convert a.png --to jpg");
    expect([seen.includes(`${ESCAPE}2K`), seen.includes(`${ESCAPE}36m`)]).toEqual([true, false]);
  });

  it("counts wide characters as two columns, and never moves back", () => {
    const written: string[] = [];
    const screen: Screen = { isColored: false, columns: () => 40, write: (text) => written.push(text) };
    const bar = progressBar({ total: 2, screen });
    const percents: number[] = [];
    const show = (phase: "upload" | "convert" | "download", percent: number): void => {
      bar.progress("写真写真写真写真写真写真写真.png", { phase, percent });
      bar.draw();
      percents.push(Number(/(\d+) %/.exec(written.at(-1) ?? "")?.[1]));
    };
    show("upload", 0);
    show("upload", 100);
    show("convert", 50);
    show("download", 100);
    bar.finished("写真写真写真写真写真写真写真.png");
    bar.progress("b.png", { phase: "upload", percent: 0 });
    bar.draw();
    expect(percents).toEqual([0, 15, 30, 50]);
    expect(written.at(-1)).toContain(" 50 % 1/2  uploading b.png");
    const wide = written.find((text) => text.includes("写")) ?? "";
    expect([...wide.replace(`\r${ESCAPE}2K`, "")].reduce((sum, each) => sum + (each > "\u2fff" ? 2 : 1), 0)).toBe(39);
  });
});

describe("sizes and durations for people", () => {
  it("have one decimal below 100", () => {
    expect([0, 812, 999, 1_000, 45_120_000, 230_000_000, 5e15].map(sizeText)).toEqual([
      "0 B",
      "812 B",
      "999 B",
      "1 kB",
      "45.1 MB",
      "230 MB",
      "5000 TB",
    ]);
    expect([40, 8_240, 42_000, 185_000].map(durationText)).toEqual(["0.0 s", "8.2 s", "42 s", "3 min 5 s"]);
  });
});
