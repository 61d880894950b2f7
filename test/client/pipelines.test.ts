import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isInstalled } from "../engines/support/task.ts";
import { addressOf } from "../support/address.ts";
import { anyform, sources } from "./support/command.ts";
import { commandBench } from "./support/command-bench.ts";
import { fixture } from "./support/service.ts";

/** Pipelines, presets and storages by the client, the command and the MCP server. */

const at = commandBench({}, { ANYFORM_ALLOW_ADDRESSES: "127.0.0.1" });
const SECRET = "correct-horse-battery";

let dav: Server;
let origin: string;
let stored: Map<string, Buffer>;
beforeAll(async () => {
  stored = new Map();
  // A WebDAV server: it accepts one user, stores what is put, and returns it.
  dav = createServer(async (request, response) => {
    const path = request.url ?? "";
    const content = await buffer(request);
    if (request.headers.authorization !== `Basic ${Buffer.from(`ada:${SECRET}`).toString("base64")}`) {
      response.writeHead(401).end();
    } else if (request.method === "PUT") {
      stored.set(path, content);
      response.writeHead(201).end();
    } else {
      response.writeHead(stored.has(path) ? 200 : 404).end(stored.get(path));
    }
  });
  origin = await addressOf(dav);
});
afterAll(() => {
  dav.closeAllConnections();
  dav.close();
});

const run = async (args: readonly string[], input = "") => {
  const { code, stdout, stderr } = await anyform(at.shell, args, input);
  return { code, stdout: stdout.toString(), stderr };
};
const printed = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run(args);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
};
const inFolder = (name: string, value: unknown): void =>
  writeFileSync(join(at.shell.cwd, name), typeof value === "string" ? value : JSON.stringify(value));
const formatOf = async (name: string) => (await sharp(join(at.shell.cwd, name)).metadata()).format;

const definition = {
  steps: [
    { name: "jpeg", operation: "convert", from: "photo", target_format: "jpg" },
    { name: "web", operation: "convert", from: "photo", target_format: "webp", options: { width: 7 } },
  ],
} as const;

describe("client.pipelines", () => {
  it("runs a pipeline, reports its progress, and deletes it", async () => {
    const seen: number[] = [];
    const { pipelines } = at.bench.client;
    const steps = definition.steps.map((step) => ({ ...step }));
    const inputs = { photo: fixture("sample.png") };
    const { pipeline, files } = await pipelines.run({ steps }, inputs, { onProgress: (share) => seen.push(share) });
    expect(Object.keys(files)).toEqual(["jpeg", "web"]);
    expect((await sharp(Buffer.from(await (files.web?.bytes() ?? ""))).metadata()).width).toBe(7);
    expect(seen.at(-1)).toBe(100);
    const events: unknown[] = [];
    for await (const event of pipelines.events(pipeline.id)) {
      events.push(event);
    }
    expect(events).toMatchObject([
      { id: pipeline.id, status: "completed", steps: [{ name: "jpeg" }, { name: "web" }] },
    ]);
    expect((await pipelines.list({ limit: 1 })).pipelines[0]?.id).toBe(pipeline.id);
    await pipelines.remove(pipeline.id);
    await expect(pipelines.status(pipeline.id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("throws the error of the step that failed, and cancels a pipeline whose signal aborts", async () => {
    const { pipelines } = at.bench.client;
    const steps = [{ name: "csv", operation: "convert" as const, target_format: "csv" }];
    const broken = { content: Buffer.from("not json"), name: "a.json" };
    await expect(pipelines.run({ steps }, { table: broken })).rejects.toMatchObject({
      code: "source_corrupt",
      detail: expect.stringContaining("Step csv: "),
    });
    const upload = await at.bench.client.upload(fixture("sample.png"));
    const started = await pipelines.start(
      { steps: [{ name: "web", operation: "convert", target_format: "webp" }] },
      { photo: upload.upload_id },
    );
    expect(["cancelled", "completed"]).toContain((await pipelines.cancel(started.id)).status);
    await expect(pipelines.run({ steps }, { table: broken }, { signal: AbortSignal.abort() })).rejects.toThrow();
  });
});

describe("anyform pipeline run", () => {
  it("saves the results by name, in a folder, and prints them", async () => {
    inFolder("steps.json", definition);
    const photo = `photo=${fixture("sample.png")}`;
    expect(await printed("pipeline", "run", "steps.json", "--input", photo)).toBe(
      "jpeg: sample.jpg\nweb: sample.webp\n",
    );
    expect([await formatOf("sample.jpg"), await formatOf("sample.webp")]).toEqual(["jpeg", "webp"]);
    const again = await run(["pipeline", "run", "steps.json", "--input", photo]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("output_exists")]);
    const json = JSON.parse(await printed("pipeline", "run", "steps.json", "-i", photo, "--out", "new", "--json"));
    expect(json).toMatchObject({ pipeline: { status: "completed" }, outputs: { web: join("new", "sample.webp") } });
    expect(readdirSync(join(at.shell.cwd, "new")).sort()).toEqual(["sample.jpg", "sample.webp"]);
  });

  it("gives results of the same name the names of their steps", async () => {
    const steps = ["one", "two"].map((name) => ({
      name,
      operation: "convert",
      from: "photo",
      target_format: "jpg",
    }));
    inFolder("same.json", { steps });
    await printed("pipeline", "run", "same.json", "--input", `photo=${fixture("sample.png")}`, "--quiet");
    expect(readdirSync(at.shell.cwd).filter((name) => name.endsWith(".jpg"))).toEqual([
      "one-sample.jpg",
      "two-sample.jpg",
    ]);
  });

  it.each([
    ["no file", ["pipeline", "run"], "Use `anyform pipeline run"],
    ["another action", ["pipeline", "start", "a.json"], "Use `anyform pipeline run"],
    ["a missing file", ["pipeline", "run", "none.json"], "none.json cannot be read"],
    ["text", ["pipeline", "run", "text.json"], "text.json is not valid JSON"],
    ["a list", ["pipeline", "run", "list.json"], "must be an object with `steps`"],
    ["an input without a name", ["pipeline", "run", "steps.json", "--input", "x"], "Invalid --input x"],
  ])("rejects %s before anything is sent", async (_, args, message) => {
    inFolder("text.json", "{");
    inFolder("list.json", []);
    inFolder("steps.json", definition);
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("reports the step of an invalid definition", async () => {
    inFolder("wrong.json", { steps: [{ name: "a", operation: "watermrak" }] });
    const { code, stderr } = await run(["pipeline", "run", "wrong.json", "-i", `photo=${fixture("sample.png")}`]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("operation")]);
  });
});

describe("anyform presets", () => {
  it("saves, lists, shows, uses and deletes a preset", async () => {
    await printed("presets", "save", "tiny", "--to", "webp", "--width", "9");
    expect(await printed("presets")).toMatch(/^tiny +webp +width +- +\S+$/m);
    expect(JSON.parse(await printed("presets", "show", "tiny"))).toMatchObject({ options: { width: 9 } });
    copyFileSync(fixture("sample.png"), join(at.shell.cwd, "a.png"));
    await printed("convert", "a.png", "--preset", "tiny", "--quiet");
    expect((await sharp(join(at.shell.cwd, "a.webp")).metadata()).width).toBe(9);
    expect(await printed("presets", "delete", "tiny")).toBe("tiny: deleted\n");
    expect(JSON.parse(await printed("presets", "--json"))).toEqual({ presets: [] });
  });

  it.each([
    ["an option that the conversion does not have", ["presets", "save", "a", "--to", "webp", "--dpi2", "3"], "dpi2"],
    ["no name", ["presets", "save"], "presets save NAME"],
    ["an unknown action", ["presets", "rename", "a"], "Use `anyform presets`"],
  ])("rejects %s", async (_, args, message) => {
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe.skipIf(!isInstalled("qpdf"))("anyform convert --steps", () => {
  it("runs steps after the conversion, and saves the last result", async () => {
    inFolder("steps.json", [{ operation: "encrypt", options: { user_password: "open" } }]);
    const input = fixture("sample.png");
    await printed("convert", input, "--to", "pdf", "--steps", "steps.json", "--out", "locked.pdf", "--quiet");
    const pages = execFileSync("qpdf", ["--password=open", "--show-npages", join(at.shell.cwd, "locked.pdf")]);
    expect(pages.toString().trim()).toBe("1");
  });
});

describe("anyform convert --merge", () => {
  it("has the options of the merge, which no conversion of one file has", async () => {
    const inputs = [fixture("sample.png"), fixture("sample.png")];
    const widthOf = async (columns: string) => {
      const out = `sheet-${columns}.png`;
      await printed("convert", ...inputs, "--merge", "--to", "png", "--columns", columns, "--out", out, "--quiet");
      return (await sharp(join(at.shell.cwd, out)).metadata()).width;
    };
    expect(await widthOf("2")).toBeGreaterThan(await widthOf("1"));
    const wrong = await run(["convert", ...inputs, "--merge", "--to", "png", "--colums", "2", "--out", "no.png"]);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("colums")]);
  });
});

describe("anyform storages", () => {
  it("saves, lists, tests, uses and deletes a storage, and never prints its secret", async () => {
    const save = ["storages", "save", "cloud", "--webdav", `${origin}/files/`, "--id", "ada"];
    const saved = await run(save, `${SECRET}\n`);
    expect([saved.code, saved.stdout]).toEqual([0, expect.stringMatching(/^cloud +webdav +http/)]);
    const tested = await printed("storages", "test", "cloud");
    expect(tested).toBe("cloud: a file was written and deleted\n");
    copyFileSync(fixture("sample.png"), join(at.shell.cwd, "b.png"));
    await printed("convert", "b.png", "--to", "jpg", "--export", "cloud/out/{name}", "--quiet");
    await expect.poll(() => stored.has("/files/out/b.jpg")).toBe(true);
    const input = { storage: "cloud", key: "out/b.jpg" };
    expect((await at.bench.client.convert(input, "webp")).name).toBe("b.webp");
    const settings = ["--webhook", `${origin}/hook`, "--metadata", "order=17", "--json"];
    const read = await printed("convert", "out/b.jpg", "--storage", "cloud", "--to", "gif", ...settings);
    expect(await formatOf("b.gif")).toBe("gif");
    const job = await at.bench.client.status(JSON.parse(read).job_id);
    expect(job).toMatchObject({ metadata: { order: "17" } });
    const mixed = await run(["convert", "https://example.com/", "--storage", "cloud", "--to", "gif"]);
    expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringContaining("keys in the storage")]);
    const unpaired = await run(["convert", "b.png", "--to", "gif", "--metadata", "order"]);
    expect([unpaired.code, unpaired.stderr]).toEqual([2, expect.stringContaining("NAME=VALUE")]);
    const wrong = await run(save, "wrong\n");
    const failed = await run(["storages", "test", "cloud"]);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining("401")]);
    const list = await printed("storages", "--json");
    expect(saved.stdout + tested + wrong.stdout + list).not.toContain(SECRET);
    expect(await printed("storages", "delete", "cloud")).toBe("cloud: deleted\n");
    expect(await printed("storages")).toBe("");
  });

  it.each([
    ["no place", ["storages", "save", "a"], "Set either --bucket"],
    ["no key", ["storages", "save", "a", "--bucket", "b"], "Missing --id"],
    ["no secret", ["storages", "save", "a", "--bucket", "bbb", "--id", "c"], "Missing secret"],
    ["an unknown action", ["storages", "open", "a"], "Use `anyform storages`"],
  ])("rejects %s", async (_, args, message) => {
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("the MCP server", () => {
  it("runs a pipeline in its folders, and has presets and storages whose secrets are variables", async () => {
    const root = join(at.bench.folder, "mcp");
    mkdirSync(join(root, "out"), { recursive: true });
    copyFileSync(fixture("sample.png"), join(root, "a.png"));
    const client = new Client({ name: "test", version: "1" });
    const env = {
      ANYFORM_URL: at.bench.service.url,
      ANYFORM_API_KEY: at.bench.apiKey,
      ANYFORM_STORAGE_CLOUD: SECRET,
      OTHER_SECRET: "other",
    };
    const [command, ...args] = sources;
    await client.connect(new StdioClientTransport({ command, args: [...args, "mcp", "--root", root], env }));
    const call = async (name: string, values: Record<string, unknown> = {}) => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: values });
      return isError === true ? { error: JSON.stringify(content) } : structuredContent;
    };
    try {
      const inputs = { photo: "a.png" };
      const { steps } = definition;
      const ran = await call("pipeline", { inputs, steps, output: "out" });
      expect(ran).toMatchObject({ outputs: { jpeg: join(root, "out", "jpeg-a.jpg") } });
      expect(existsSync(join(root, "out", "web-a.webp"))).toBe(true);
      expect(await call("pipeline", { inputs, steps, output: "out" })).toMatchObject({
        error: expect.stringContaining("output_exists"),
      });
      expect(await call("pipeline", { inputs, steps, output: "none" })).toMatchObject({
        error: expect.stringContaining("Folder not found"),
      });
      expect(await call("pipeline", { inputs, steps, output: ".." })).toMatchObject({
        error: expect.stringContaining("outside of the allowed"),
      });
      expect(await call("pipeline", { inputs: { photo: "/etc/hostname" }, steps, output: "out" })).toMatchObject({
        error: expect.stringContaining("outside of the allowed"),
      });

      await call("save_preset", { name: "mini", target: "webp", options: { width: 5 } });
      expect(await call("presets")).toMatchObject({ presets: [{ name: "mini", target_format: "webp" }] });
      expect(await call("convert", { input: "a.png", preset: "mini" })).toMatchObject({ output: join(root, "a.webp") });
      expect((await sharp(readFileSync(join(root, "a.webp"))).metadata()).width).toBe(5);
      expect(await call("delete_preset", { name: "mini" })).toEqual({ deleted: "mini" });

      const place = { name: "cloud", type: "webdav", endpoint: `${origin}/mcp/`, username: "ada" };
      expect(await call("save_storage", { ...place, secret_variable: "OTHER_SECRET" })).toMatchObject({
        error: expect.stringContaining("ANYFORM_STORAGE_"),
      });
      const saved = await call("save_storage", { ...place, secret_variable: "ANYFORM_STORAGE_CLOUD" });
      expect(saved).toMatchObject({ name: "cloud", type: "webdav" });
      expect(await call("test_storage", { name: "cloud" })).toEqual({ succeeded: true, error: null });
      expect(JSON.stringify([saved, await call("storages")])).not.toContain(SECRET);
      await call("convert", { input: "a.png", target: "gif", export: { storage: "cloud", key: "b.gif" } });
      await expect.poll(() => stored.has("/mcp/b.gif")).toBe(true);
      const further = { webhook_url: `${origin}/hook`, metadata: { order: "18" }, output: "from-storage.webp" };
      const read = await call("convert", { input: "b.gif", storage: "cloud", target: "webp", ...further });
      expect(read).toMatchObject({ output: join(root, "from-storage.webp") });
      const { job_id: jobId } = read as { job_id: string };
      expect(await at.bench.client.status(jobId)).toMatchObject({ metadata: { order: "18" } });
      expect(await call("delete_storage", { name: "cloud" })).toEqual({ deleted: "cloud" });
    } finally {
      await client.close();
    }
  });
});
