import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createClient } from "../../client/node.ts";
import { accountsCommand, type NewAccount } from "../support/services/local-service.ts";
import { anyform, start } from "./support/command.ts";
import { commandBench } from "./support/command-bench.ts";
import { fixture } from "./support/service.ts";

const at = commandBench();

const put = (...names: string[]): void => {
  for (const name of names) {
    copyFileSync(fixture(name), join(at.shell.cwd, name));
  }
};

const used = async (): Promise<number> => (await at.bench.client.account()).quota.used;

const linesOf = (stdout: Buffer): unknown[] =>
  stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("anyform convert", () => {
  it("converts several files into a new folder, with conversion options", async () => {
    put("sample.png", "alpha.png");
    const args = [
      "convert",
      "sample.png",
      "alpha.png",
      "--to",
      "jpg",
      "--out",
      "new/",
      "--width",
      "7",
      "--strip-metadata",
      "gps",
    ];
    const { code, stdout, stderr } = await anyform(at.shell, args);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^2 converted, \S+ k?B -> \S+ k?B in \S+ s\n$/);
    expect(stdout.toString()).toMatch(/^sample\.png -> new\/sample\.jpg \(\d+ B\)$/m);
    expect(readdirSync(join(at.shell.cwd, "new")).sort()).toEqual(["alpha.jpg", "sample.jpg"]);
    expect((await sharp(join(at.shell.cwd, "new/alpha.jpg")).metadata()).width).toBe(7);
  });

  it("uploads the file of an option, and reads seconds as a number", async () => {
    put("sample.png", "alpha.png", "sample.mp4");
    const stamped = ["convert", "sample.png", "--to", "webp", "--option", "watermark_upload_id=alpha.png"];
    expect((await anyform(at.shell, stamped)).code).toBe(0);
    const plain = await anyform(at.shell, ["convert", "sample.png", "--to", "webp", "--out", "plain.webp"]);
    expect(plain.code).toBe(0);
    const [one, other] = ["sample.webp", "plain.webp"].map((name) => readFileSync(join(at.shell.cwd, name)));
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(false);
    const cut = ["convert", "sample.mp4", "--to", "mp3", "--option", "trim_start=0.5"];
    expect((await anyform(at.shell, cut)).code).toBe(0);
    const missing = ["convert", "sample.png", "--to", "jpg", "--option", "watermark_upload_id=missing.png"];
    expect((await anyform(at.shell, missing)).code).not.toBe(0);
  });

  it("writes next to its input and sends nothing if the output already exists", async () => {
    put("sample.png");
    expect((await anyform(at.shell, ["convert", "sample.png", "--to", ".JPEG"])).code).toBe(0);
    const first = readFileSync(join(at.shell.cwd, "sample.jpg"));
    const before = await used();
    const again = await anyform(at.shell, ["convert", "sample.png", "--to", "jpg", "--option", "quality=1"]);
    expect([again.code, again.stderr]).toEqual([1, "sample.png: output_exists: sample.jpg already exists.\n"]);
    expect(await used()).toBe(before);
    expect(readFileSync(join(at.shell.cwd, "sample.jpg")).equals(first)).toBe(true);
    expect((await anyform(at.shell, ["convert", "sample.png", "--to", "jpg", "-O", "quality=1", "--force"])).code).toBe(
      0,
    );
    expect(readFileSync(join(at.shell.cwd, "sample.jpg")).equals(first)).toBe(false);
    expect(readdirSync(at.shell.cwd).sort()).toEqual(["sample.jpg", "sample.png"]);
  });

  it("gives inputs with the same name results with different names", async () => {
    mkdirSync(join(at.shell.cwd, "a"));
    copyFileSync(fixture("sample.png"), join(at.shell.cwd, "a/same.png"));
    copyFileSync(fixture("sample.jpg"), join(at.shell.cwd, "same.jpg"));
    expect((await anyform(at.shell, ["convert", "a/same.png", "same.jpg", "--to", "webp", "-o", "out/"])).code).toBe(0);
    expect(readdirSync(join(at.shell.cwd, "out")).sort()).toEqual(["same-2.webp", "same.webp"]);
  });

  it("reads standard input and writes only the result to standard output", async () => {
    const picture = readFileSync(fixture("sample.png"));
    const { code, stdout } = await anyform(at.shell, ["convert", "-", "--to", "webp", "--json"], picture);
    expect([code, (await sharp(stdout).metadata()).format]).toEqual([0, "webp"]);
    const table = await anyform(at.shell, ["convert", "-", "--from", "csv", "--to", "json", "-o", "-"], "a,b\n1,2\n");
    expect(JSON.parse(table.stdout.toString())).toEqual([{ a: 1, b: 2 }]);
    expect(readdirSync(at.shell.cwd)).toEqual([]);
  });

  it("reports an output path that cannot be written in one line", async () => {
    put("sample.png");
    const { code, stderr } = await anyform(at.shell, [
      "convert",
      "sample.png",
      "--to",
      "jpg",
      "-o",
      "sample.png/a.jpg",
    ]);
    expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(stderr).toMatch(/^sample\.png: ENOTDIR|^sample\.png: EEXIST/);
  });

  it("merges its inputs into one file", async () => {
    put("sample.png", "alpha.png");
    const { code } = await anyform(at.shell, [
      "convert",
      "sample.png",
      "alpha.png",
      "--to",
      "pdf",
      "--merge",
      "-o",
      "all.pdf",
    ]);
    expect(code).toBe(0);
    expect(readFileSync(join(at.shell.cwd, "all.pdf")).subarray(0, 5).toString()).toBe("%PDF-");
  });

  it("prints a line of JSON per input and exits with 1 if one of them failed", async () => {
    put("sample.png");
    writeFileSync(join(at.shell.cwd, "notes.png"), "no picture at all");
    const { code, stdout, stderr } = await anyform(at.shell, [
      "convert",
      "sample.png",
      "notes.png",
      "--to",
      "jpg",
      "--json",
    ]);
    expect([code, stderr]).toEqual([1, ""]);
    expect(linesOf(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ input: "sample.png", output: "sample.jpg", status: "completed", warnings: [] }),
        expect.objectContaining({
          input: "notes.png",
          status: "failed",
          error: expect.objectContaining({ code: "unsupported_conversion" }),
        }),
      ]),
    );
  });

  it.each([
    [["convert", "sample.png"], "Missing target format. Use --to FORMAT, or anyform convert INPUT OUTPUT."],
    [
      ["convert", "a.png", "b.png", "c.jpg"],
      "Missing target format. Use --to FORMAT, or anyform convert INPUT OUTPUT.",
    ],
    [["convert", "a.png", "b.nonsense"], "The extension of b.nonsense is not a supported format. Use --to FORMAT."],
    [["convert", "a.png", "b.jpg", "--out", "c/"], "Missing target format. With --out, use --to FORMAT."],
    [["convert", "--to", "jpg"], "Missing input."],
    [["convert", "sample.png", "--to", "nonsense"], "Run `anyform formats` to list the supported formats."],
    [
      ["convert", "sample.png", "--to", "jpg", "--qualty", "8"],
      'Unknown option "qualty" for this conversion. Available options: background, blur, crop, fit',
    ],
    [
      ["convert", "sample.png", "--to", "jpg", "--quality", "best"],
      'Invalid value "best" for option "quality": must be an integer from 1 to 100.',
    ],
    [
      ["convert", "sample.png", "out.jpg", "--quality", "800"],
      'Invalid value "800" for option "quality": must be an integer from 1 to 100.',
    ],
    [
      ["convert", "sample.png", "--to", "jpg", "--fit", "round"],
      'Invalid value "round" for option "fit": must be one of ',
    ],
    [["convert", "sample.png", "--to", "jpg", "--quality"], 'Option "quality" requires a value.'],
    [["convert", "sample.png", "--to", "jpg", "--jobs", "0"], 'Invalid --jobs "0": must be an integer from 1 to 32.'],
    [["convert", "a.png", "b.png", "--to", "jpg", "--out", "c.jpg"], "c.jpg is not a folder."],
    [["convert", "a.png", "b.png", "--to", "jpg", "--out", "-"], "Standard output accepts only one result."],
    [["convert", "-", "-", "--to", "jpg"], "Standard input (-) can only be used once."],
    [["convert", "a.png", "--to", "jpg", "-f", "--skip-existing"], "Use either --force or --skip-existing."],
    [["jobs", "--status", "lost"], 'Invalid --status "lost": must be one of queued'],
    [["account", "--nonsense"], "Unknown option --nonsense."],
    [["nonsense"], 'Unknown command "nonsense". Run `anyform --help`.'],
  ])("rejects %j with exit code 2 and sends nothing", async (args, text) => {
    const before = await used();
    const { code, stderr } = await anyform(at.shell, args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
    expect(await used()).toBe(before);
  });

  it("exits with 3 without a valid key, 4 without quota, 5 without a service, and never prints the key", async () => {
    put("sample.png");
    const args = ["convert", "sample.png", "--to", "jpg"];
    const run = async (env: Record<string, string>) => anyform({ ...at.shell, env: { ...at.shell.env, ...env } }, args);
    const { api_key } = await accountsCommand<NewAccount>(
      ["create", "--email", "few@example.org", "--plan", "enterprise", "--quota", "1"],
      { DATA_DIR: at.bench.service.dataDir },
    );
    await createClient({ apiKey: api_key, baseUrl: at.bench.service.url }).upload(fixture("sample.png"));
    const ends = [
      await run({ ANYFORM_API_KEY: "" }),
      await run({ ANYFORM_API_KEY: "af_live_secret" }),
      await run({ ANYFORM_API_KEY: api_key }),
      await run({ ANYFORM_URL: "http://127.0.0.1:1", ANYFORM_RETRIES: "0" }),
      await run({ ANYFORM_RETRIES: "many" }),
    ];
    expect(ends.map(({ code }) => code)).toEqual([3, 3, 4, 5, 2]);
    expect(ends.map(({ stderr }) => stderr).join()).not.toMatch(new RegExp(`af_live_secret|${api_key}`));
  });

  it("cancels its job and exits with 130 when it is interrupted", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
    const size = { width: 4_000, height: 4_000, channels: 3, background: "white", noise } as const;
    await sharp({ create: size }).jpeg().toFile(join(at.shell.cwd, "slow.jpg"));
    const child = start(at.shell, ["convert", "slow.jpg", "--to", "avif", "--lossless"]);
    const ended = once(child, "close");
    const newest = async () => (await at.bench.client.jobs({ limit: 1 })).jobs[0];
    await expect.poll(async () => (await newest())?.target_format).toBe("avif");
    child.kill("SIGINT");
    expect((await ended)[0]).toBe(130);
    expect(await newest()).toMatchObject({ target_format: "avif", status: "cancelled" });
    expect(readdirSync(at.shell.cwd)).toEqual(["slow.jpg"]);
  });
});

describe("the other commands", () => {
  it("show formats, jobs, a job and the account as text and as JSON", async () => {
    const { job } = await at.bench.client.convert(fixture("sample.png"), "jpg");
    const formats = await anyform({ ...at.shell, env: { ...at.shell.env, ANYFORM_API_KEY: "" } }, [
      "formats",
      "png",
      "--to",
      "jpg",
    ]);
    expect(formats.stdout.toString()).toMatch(/^png -> jpg {2}lossy {2}.*quality/);
    const json = async (...args: string[]) =>
      JSON.parse((await anyform(at.shell, [...args, "--json"])).stdout.toString());
    expect((await json("formats")).formats.length).toBeGreaterThan(100);
    expect((await json("formats", "png")).conversions.length).toBeGreaterThan(10);
    expect(await json("status", job.id)).toEqual(await at.bench.client.status(job.id));
    expect((await json("jobs", "--limit", "1")).jobs[0].id).toBe(job.id);
    expect((await json("jobs", "--search", job.id, "--since", "2026-01-01")).jobs).toEqual([
      expect.objectContaining({ id: job.id }),
    ]);
    expect((await json("jobs", "--search", job.id, "--source", "mp3")).jobs).toEqual([]);
    expect(await json("account")).toEqual(await at.bench.client.account());
    expect((await anyform(at.shell, ["status", job.id, "--wait"])).stdout.toString()).toContain(
      `${job.id}  completed  100 %`,
    );
    expect((await anyform(at.shell, ["status", "job_none"])).code).toBe(1);
  });

  it("save a key that the service accepts in a file that only its owner can read, and send it to no other URL", async () => {
    const env = { XDG_CONFIG_HOME: join(at.shell.cwd, "config") };
    const bare = { cwd: at.shell.cwd, env };
    const { url } = at.bench.service;
    expect((await anyform(bare, ["login", "--url", url], "af_live_wrong\n")).code).toBe(3);
    expect((await anyform(bare, ["account"])).code).toBe(3);
    const login = await anyform(bare, ["login", "--url", url], `${at.bench.apiKey}\n`);
    expect([login.code, login.stdout.toString().includes(at.bench.apiKey)]).toEqual([0, false]);
    const path = join(env.XDG_CONFIG_HOME, "anyform/settings.json");
    expect([statSync(path).mode & 0o777, statSync(join(path, "..")).mode & 0o777]).toEqual([0o600, 0o700]);
    expect((await anyform(bare, ["account"])).code).toBe(0);
    const elsewhere = await anyform({ ...bare, env: { ...env, ANYFORM_URL: `${url}/` } }, ["account"]);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([3, expect.stringContaining("No API key for")]);
    const owner = await anyform(bare, ["login", "--url", url, "--data-dir", at.bench.service.dataDir]);
    expect(owner.code).toBe(0);
  });

  it("print valid at.shell completions", async () => {
    const bash = (await anyform(at.shell, ["completion", "bash"])).stdout.toString();
    const script = `${bash}\nCOMP_WORDS=(anyform convert --mer) COMP_CWORD=2; _anyform; echo "\${COMPREPLY[*]}"`;
    expect(execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim()).toBe("--merge");
    expect((await anyform(at.shell, ["completion", "zsh"])).stdout.toString()).toContain("#compdef anyform");
    expect((await anyform(at.shell, ["completion", "fish"])).stdout.toString()).toContain("-l merge");
    const words = `${bash}\nCOMP_WORDS=(anyform webhooks l) COMP_CWORD=2; _anyform; echo "\${COMPREPLY[*]}"`;
    expect(execFileSync("bash", ["-c", words], { encoding: "utf8" }).trim()).toBe("listen");
    expect((await anyform(at.shell, ["completion", "csh"])).code).toBe(2);
  });

  it("print help with every exit code", async () => {
    const { code, stdout } = await anyform(at.shell, ["--help"]);
    expect(code).toBe(0);
    for (const text of [
      "convert",
      "watch",
      "download",
      "usage",
      "keys",
      "webhooks",
      "ANYFORM_API_KEY",
      "ANYFORM_RETRIES",
      "130",
    ]) {
      expect(stdout.toString()).toContain(text);
    }
    expect((await anyform(at.shell, ["convert", "--help"])).stdout.toString()).toContain("--merge");
    expect((await anyform(at.shell, ["--version"])).stdout.toString()).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await anyform(at.shell, [])).code).toBe(2);
  });
});
