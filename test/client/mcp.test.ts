import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PDFDocument } from "@cantoo/pdf-lib";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sources, start } from "./support/command.ts";
import { type Bench, fixture, openBench } from "./support/service.ts";

let bench: Bench;
let client: Client;
let root: string;
let env: Record<string, string>;
beforeAll(async () => {
  bench = await openBench();
  root = join(bench.folder, "root");
  mkdirSync(root);
  env = { ANYFORM_URL: bench.service.url, ANYFORM_API_KEY: bench.apiKey };
  client = new Client({ name: "test", version: "1" });
  const [command, ...args] = sources;
  const transport = new StdioClientTransport({ command, args: [...args, "mcp", "--root", root], env });
  await client.connect(transport);
});
afterAll(async () => {
  await client.close();
  await bench.close();
});

const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });

/** @returns the text of a failed tool call */
const refusal = async (args: Record<string, unknown>, name = "convert"): Promise<unknown> => {
  const { isError, content } = await call(name, args);
  return isError === true ? JSON.stringify(content) : "The call did not fail.";
};

describe("the MCP server with the client of the public SDK", () => {
  it("identifies itself and lists its tools with schemas", async () => {
    expect(client.getServerVersion()).toMatchObject({ name: "anyform" });
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...["convert", "merge", "pipeline", "formats", "status", "account"],
      ...["presets", "save_preset", "delete_preset", "storages", "save_storage", "test_storage", "delete_storage"],
    ]);
    await client.ping();
  });

  it("uploads the file of an option, only from the allowed folders", async () => {
    copyFileSync(fixture("sample.png"), join(root, "marked.png"));
    copyFileSync(fixture("alpha.png"), join(root, "mark.png"));
    const args = { input: "marked.png", target: "webp", output: "marked.webp" };
    const options = { watermark_upload_id: "mark.png" };
    expect((await call("convert", { ...args, options })).isError).not.toBe(true);
    expect((await sharp(join(root, "marked.webp")).metadata()).format).toBe("webp");
    const outside = { watermark_upload_id: "/etc/hostname" };
    expect(await refusal({ ...args, output: "other.webp", options: outside })).toContain("outside of the allowed");
  });

  it("converts a file, writes the result next to it and reports progress; the SDK validates the output schema", async () => {
    copyFileSync(fixture("sample.png"), join(root, "a.png"));
    const seen: number[] = [];
    const result = await client.callTool(
      { name: "convert", arguments: { input: "a.png", target: "jpg", options: { width: 6 } } },
      undefined,
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    const output = join(root, "a.jpg");
    expect(result.structuredContent).toMatchObject({ output, media_type: "image/jpeg", warnings: [] });
    expect((await sharp(output).metadata()).width).toBe(6);
    // The SDK drops notifications that arrive together with the result, so the last one is tested below.
    expect([seen.length > 0, seen]).toEqual([true, seen.toSorted((a, b) => a - b)]);
    const { job_id } = result.structuredContent as { job_id: string };
    expect((await call("status", { job_id })).structuredContent).toMatchObject({ id: job_id, status: "completed" });
  });

  it("merges files into one, in the given order, and never replaces a file by default", async () => {
    copyFileSync(fixture("sample.png"), join(root, "one.png"));
    copyFileSync(fixture("alpha.png"), join(root, "two.png"));
    const args = { inputs: ["one.png", "two.png"], target: "pdf", output: "both.pdf" };
    const output = join(root, "both.pdf");
    expect((await call("merge", args)).structuredContent).toMatchObject({ output, media_type: "application/pdf" });
    expect((await PDFDocument.load(readFileSync(output))).getPageCount()).toBe(2);
    expect(await refusal(args, "merge")).toContain("output_exists");
    expect((await call("merge", { ...args, overwrite: true })).isError).toBeUndefined();
    expect(await refusal({ ...args, inputs: ["one.png", "../outside.png"] }, "merge")).toContain("outside of the");
    expect(await refusal({ ...args, inputs: [] }, "merge")).toContain("`inputs` must be a list of non-empty strings");
    expect(await refusal({ inputs: ["one.png"], target: "pdf" }, "merge")).toContain("`output` is required");
  });

  it("shows the account's plan and quota", async () => {
    const { plan, quota, retention_hours } = await bench.client.account();
    const { limit, used, remaining, resets_at } = quota;
    const shown = (await call("account", {})).structuredContent;
    expect(shown).toEqual({ plan, limit, used, remaining, resets_at, retention_hours });
  });

  it("lists families first, then formats and targets, then one conversion with its options", async () => {
    const { formats: all } = await bench.client.formats();
    const sizeOf = (value: unknown): number => JSON.stringify(value).length;
    const first = (await call("formats", {})).structuredContent as { families: { family: string; formats: number }[] };
    expect(first.families.map(({ family }) => family)).toContain("image");
    expect(first.families.reduce((sum, each) => sum + each.formats, 0)).toBe(all.length);
    const family = (await call("formats", { family: "image" })).structuredContent as { formats: { id: string }[] };
    expect(family.formats.map(({ id }) => id)).toContain("heic");
    expect(family.formats.map(({ id }) => id)).not.toContain("pdf");
    const source = (await call("formats", { source: ".PNG" })).structuredContent;
    expect(source).toEqual({ source: "png", targets: expect.arrayContaining(["jpg", "webp"]) });
    const target = (await call("formats", { target: "jpeg" })).structuredContent;
    expect(target).toEqual({ target: "jpg", sources: expect.arrayContaining(["png", "heic"]) });
    const pair = (await call("formats", { source: "png", target: "jpg" })).structuredContent;
    expect(pair).toMatchObject({
      conversion: { source: "png", target: "jpg", options: { properties: { quality: { maximum: 100 } } } },
    });
    const merge = (await call("formats", { source: "png", target: "gif", merge_with: ["jpg"] })).structuredContent;
    expect(merge).toMatchObject({ conversion: { options: { properties: { delay: { type: "integer" } } } } });
    expect(sizeOf(first)).toBeLessThan(3_000);
    expect([sizeOf(family), sizeOf(source), sizeOf(target), sizeOf(pair)].every((size) => size < 20_000)).toBe(true);
    for (const unknown of [{ source: "nonsense" }, { family: "nonsense" }, { source: "png", target: "mp3" }]) {
      expect((await call("formats", unknown)).isError).toBe(true);
    }
  });

  it("neither reads nor writes outside of its folders, through any path or link", async () => {
    const outside = join(bench.folder, "outside.png");
    copyFileSync(fixture("sample.png"), outside);
    copyFileSync(fixture("sample.png"), join(root, "in.png"));
    symlinkSync(outside, join(root, "link.png"));
    symlinkSync(bench.folder, join(root, "door"));
    for (const input of [outside, "../outside.png", "link.png", "door/outside.png"]) {
      expect(await refusal({ input, target: "jpg" })).toContain("is outside of the allowed folders");
    }
    for (const output of [join(bench.folder, "b.jpg"), "../b.jpg", "door/b.jpg"]) {
      expect(await refusal({ input: "in.png", target: "jpg", output })).toContain("is outside of the allowed folders");
    }
    expect(existsSync(join(bench.folder, "b.jpg"))).toBe(false);
  });

  it("never replaces a file by default, and reports why a conversion failed", async () => {
    copyFileSync(fixture("sample.png"), join(root, "c.png"));
    writeFileSync(join(root, "c.jpg"), "mine");
    expect(await refusal({ input: "c.png", target: "jpg" })).toContain("output_exists");
    expect(await refusal({ input: "c.png", target: "jpg", output: "c.jpg" })).toContain("output_exists");
    expect(readFileSync(join(root, "c.jpg"), "utf8")).toBe("mine");
    const replaced = await call("convert", { input: "c.png", target: "jpg", overwrite: true });
    expect(replaced.isError).toBeUndefined();
    expect(await refusal({ input: "c.png", target: "mp3" })).toContain("unsupported_conversion");
    expect(await refusal({ target: "mp3" })).toContain("`input` is required");
    expect(readdirSync(root).filter((name) => name.includes(".part"))).toEqual([]);
  });

  it("cancels the job when the client cancels the call", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
    const size = { width: 4_000, height: 4_000, channels: 3, background: "white", noise } as const;
    await sharp({ create: size }).jpeg().toFile(join(root, "slow.jpg"));
    const controller = new AbortController();
    const params = { name: "convert", arguments: { input: "slow.jpg", target: "avif", options: { lossless: true } } };
    const running = client.callTool(params, undefined, { signal: controller.signal });
    const newest = async () => (await bench.client.jobs({ limit: 1 })).jobs[0];
    await expect.poll(async () => (await newest())?.target_format).toBe("avif");
    controller.abort();
    await expect(running).rejects.toThrow();
    await expect.poll(async () => (await newest())?.status).toBe("cancelled");
  });
});

describe("the messages of the MCP server", () => {
  it("end with progress 100 before the result, and without progress if none is requested", async () => {
    copyFileSync(fixture("sample.png"), join(root, "p.png"));
    const child = start({ cwd: root, env }, ["mcp"]);
    const { stdin, stdout } = child;
    if (stdin === null || stdout === null) {
      throw new TypeError("The command was started without pipes.");
    }
    const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    const convert = async (id: number, meta: object): Promise<unknown[]> => {
      const params = { name: "convert", arguments: { input: "p.png", target: "jpg", overwrite: true }, ...meta };
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`);
      const messages: { id?: number }[] = [];
      while (messages.at(-1)?.id !== id) {
        messages.push(JSON.parse(String((await lines.next()).value)));
      }
      return messages;
    };
    const messages = await convert(1, { _meta: { progressToken: "token" } });
    const progress = { progressToken: "token", progress: 100, total: 100, message: expect.any(String) };
    expect(messages.slice(-2)).toEqual([
      { jsonrpc: "2.0", method: "notifications/progress", params: progress },
      expect.objectContaining({ id: 1, result: expect.objectContaining({ structuredContent: expect.anything() }) }),
    ]);
    expect(await convert(2, {})).toHaveLength(1);
    const ended = once(child, "close");
    stdin.end();
    expect((await ended)[0]).toBe(0);
  });
});

describe("the MCP server with invalid requests", () => {
  it.each([
    ["invalid JSON", "{", { id: null, error: { code: -32_700 } }],
    ["a message that is not an object", "[1]", { id: null, error: { code: -32_600 } }],
    ["a request without a method", '{"jsonrpc":"2.0","id":1}', { id: 1, error: { code: -32_600 } }],
    ["an unknown method", '{"jsonrpc":"2.0","id":2,"method":"toString"}', { id: 2, error: { code: -32_601 } }],
    [
      "an unknown tool",
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"rm"}}',
      { id: 3, error: { code: -32_602 } },
    ],
    [
      "an unknown version",
      '{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}',
      { id: 4, result: { protocolVersion: "2025-11-25" } },
    ],
  ])(
    "answers %s as specified, does not answer a notification, and exits when its input ends",
    async (_, line, answer) => {
      const child = start({ cwd: root, env }, ["mcp"]);
      const ended = once(child, "close");
      const { stdin, stdout } = child;
      if (stdin === null || stdout === null) {
        throw new TypeError("The command was started without pipes.");
      }
      stdin.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}\n${line}\n`);
      const { value } = await createInterface({ input: stdout })[Symbol.asyncIterator]().next();
      expect(JSON.parse(String(value))).toMatchObject({ jsonrpc: "2.0", ...answer });
      stdin.end();
      expect((await ended)[0]).toBe(0);
    },
  );
});
