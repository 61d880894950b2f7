import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeEach, describe, expect, it } from "vitest";
import { type LocalService, startLocalService } from "../support/services/local-service.ts";
import { anyform, start } from "./support/command.ts";
import { commandBench } from "./support/command-bench.ts";
import { fixture } from "./support/service.ts";

const at = commandBench({ ANYFORM_RETRIES: "0" });

interface Watching {
  readonly child: ChildProcess;
  /** What the command has printed. */
  text(): string;
  /** Interrupts it. @returns the exit code */
  stop(): Promise<number>;
}

const watching = (...args: string[]): Watching => {
  const child = start(at.shell, ["watch", "in", "--interval", "1", ...args]);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const closed = once(child, "close");
  return {
    child,
    text: () => text,
    stop: async () => {
      child.kill("SIGINT");
      return (await closed)[0];
    },
  };
};

const path = (name: string): string => join(at.shell.cwd, name);
beforeEach(() => mkdirSync(path("in")));
const appears = (name: string) => expect.poll(() => existsSync(path(name))).toBe(true);

describe("anyform watch", () => {
  it("converts files that are there, appear and change, in subfolders too, and never its results", async () => {
    copyFileSync(fixture("sample.png"), path("in/a.png"));
    const run = watching("--to", "jpg", "--quality", "50");
    await appears("in/a.jpg");
    mkdirSync(path("in/sub"));
    copyFileSync(fixture("sample.png"), path("in/sub/b.png"));
    await appears("in/sub/b.jpg");
    const size = async (): Promise<number | undefined> =>
      sharp(readFileSync(path("in/a.jpg")))
        .metadata()
        .then(({ width }) => width);
    const before = await size();
    await sharp(fixture("sample.png")).resize(11).toFile(path("in/a.png"));
    await expect.poll(size).toBe(11);
    expect(before).not.toBe(11);
    expect(await run.stop()).toBe(0);
    expect(run.text()).toMatch(/^3 converted, .* in \d+(\.\d)? s$/m);
    expect(readdirSync(path("in"), { recursive: true }).sort()).toEqual([
      "a.jpg",
      "a.png",
      "sub",
      "sub/b.jpg",
      "sub/b.png",
    ]);
  });

  it("reports a failed file once, and tries it again when it changes", async () => {
    writeFileSync(path("in/a.png"), "no picture");
    const run = watching("--to", "jpg", "--out", "out");
    await expect.poll(run.text).toContain("in/a.png: unsupported_conversion");
    copyFileSync(fixture("sample.png"), path("in/b.png"));
    await appears("out/b.jpg");
    expect(run.text().match(/unsupported_conversion/g)).toHaveLength(1);
    copyFileSync(fixture("sample.png"), path("in/a.png"));
    await appears("out/a.jpg");
    expect(await run.stop()).toBe(0);
  });

  it("waits until a file no longer grows, keeps results of others, and replaces older ones with --force", async () => {
    const picture = readFileSync(fixture("sample.png"));
    writeFileSync(path("in/kept.jpg"), "mine");
    copyFileSync(fixture("sample.png"), path("in/kept.png"));
    writeFileSync(path("in/slow.png"), picture.subarray(0, 10));
    const first = watching("--to", "jpg", "--interval", "3");
    for (let at = 10; at < picture.length; at += Math.ceil(picture.length / 8)) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      appendFileSync(path("in/slow.png"), picture.subarray(at, at + Math.ceil(picture.length / 8)));
    }
    await appears("in/slow.jpg");
    expect(await first.stop()).toBe(0);
    expect(first.text()).toMatch(/^1 converted, \S+ k?B -> /m);
    expect(readFileSync(path("in/kept.jpg"), "utf8")).toBe("mine");
    copyFileSync(fixture("sample.png"), path("in/kept.png"));
    const second = watching("--to", "jpg", "--force");
    await expect.poll(() => readFileSync(path("in/kept.jpg"), "utf8")).not.toBe("mine");
    expect(await second.stop()).toBe(0);
    expect(second.text()).toMatch(/^1 converted, /m);
  });

  it("waits for the service while it is restarted", async () => {
    const dataDir = join(at.bench.folder, "data");
    mkdirSync(dataDir);
    let service: LocalService = await startLocalService({ dataDir });
    const port = new URL(service.url).port;
    const apiKey = readFileSync(join(dataDir, "api-key"), "utf8").trim();
    at.shell = { ...at.shell, env: { ...at.shell.env, ANYFORM_URL: service.url, ANYFORM_API_KEY: apiKey } };
    const run = watching("--to", "jpg");
    try {
      copyFileSync(fixture("sample.png"), path("in/a.png"));
      await appears("in/a.jpg");
      await service.stop();
      copyFileSync(fixture("sample.png"), path("in/b.png"));
      await expect.poll(run.text).toContain("Waiting for the service.");
      service = await startLocalService({ dataDir, env: { PORT: port } });
      await appears("in/b.jpg");
      expect(await run.stop()).toBe(0);
      expect(run.text()).toContain("anyform: the service is available again.");
      expect(run.text().match(/not_reachable/g)).toHaveLength(1);
    } finally {
      run.child.kill("SIGKILL");
      await service.stop();
    }
  });

  it("finishes the file in progress when it is interrupted", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
    const create = { width: 1_500, height: 1_500, channels: 3, background: "white", noise } as const;
    await sharp({ create }).jpeg().toFile(path("in/slow.jpg"));
    const run = watching("--to", "avif", "--lossless");
    const newest = async () => (await at.bench.client.jobs({ limit: 1 })).jobs[0];
    await expect.poll(async () => (await newest())?.target_format).toBe("avif");
    expect(await run.stop()).toBe(0);
    expect([existsSync(path("in/slow.avif")), (await newest())?.status]).toEqual([true, "completed"]);
  });

  it.each([
    [["watch", "in"], 2, "Missing target format. Use --to FORMAT."],
    [["watch", "missing", "--to", "jpg"], 2, "Specify one existing folder: anyform watch FOLDER --to FORMAT."],
    [["watch", "in", "--to", "nonsense"], 2, "Run `anyform formats` to list the supported formats."],
    [["watch", "in", "--to", "jpg", "--quality", "800"], 2, "must be an integer from 1 to 100."],
  ])("rejects %j", async (args, exit, text) => {
    const { code, stderr } = await anyform(at.shell, args);
    expect([code, stderr]).toEqual([exit, expect.stringContaining(text)]);
  });

  it("ends with 3 when the service rejects the key", async () => {
    copyFileSync(fixture("sample.png"), path("in/a.png"));
    const wrong = { ...at.shell, env: { ...at.shell.env, ANYFORM_API_KEY: "af_live_wrong" } };
    const { code, stderr } = await anyform(wrong, ["watch", "in", "--to", "jpg", "--interval", "1"]);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/^anyform: invalid_api_key: /m)]);
  });
});
