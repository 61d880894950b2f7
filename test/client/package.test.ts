import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anyform } from "./support/command.ts";
import { type Bench, fixture, openBench } from "./support/service.ts";

/** The package as published: built, packed and installed offline into a separate project. */

const root = join(import.meta.dirname, "../..");

let bench: Bench;
let project: string;
let installed: string;
beforeAll(async () => {
  bench = await openBench();
  const dist = join(bench.folder, "dist");
  execFileSync(process.execPath, [join(root, "client/build.ts"), dist]);
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--pack-destination", bench.folder], {
      cwd: dist,
      encoding: "utf8",
      stdio: "pipe",
    }),
  );
  project = join(bench.folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{"name":"project","private":true,"type":"module"}');
  const tarball = join(bench.folder, packed.filename);
  const quiet = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", ["install", tarball, ...quiet], { cwd: project, stdio: "pipe" });
  installed = join(project, "node_modules/@anyform/client");
});
afterAll(() => bench.close());

/** @returns this Node and other installed versions */
const nodes = (): [string, string][] => {
  const version = (path: string) => spawnSync(path, ["--version"], { encoding: "utf8" }).stdout?.trim() ?? "";
  const places = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "node"));
  const found = new Map([process.execPath, ...places].map((path) => [version(path), path]));
  return [...found].filter(([name]) => /^v\d\d/.test(name) && Number(name.slice(1, 3)) >= 20);
};

describe("the package", () => {
  it("has JavaScript, types, a license, a README, no dependencies and an executable command", () => {
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ name: "@anyform/client", license: "Apache-2.0", type: "module" });
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "node.js", "node.d.ts", "index.d.ts"]));
    expect(files.filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))).toEqual([]);
    expect(files.filter((name) => /generate|python/.test(name))).toEqual([]);
    expect(readFileSync(join(installed, "LICENSE.noble-hashes"), "utf8")).toContain("Permission is hereby granted");
    const scripts = files
      .filter((name) => name.endsWith(".js"))
      .map((name) => readFileSync(join(installed, name), "utf8"));
    const imported = scripts.flatMap((text) => [...text.matchAll(/^(?:import|export)\b.*?from "([^"]+)";$/gm)]);
    expect(imported.length).toBeGreaterThan(10);
    expect(imported.map(([, from]) => from).filter((from) => !/^(?:\.{1,2}\/|node:)/.test(from ?? ""))).toEqual([]);
    expect(statSync(join(project, "node_modules/.bin/anyform")).mode & 0o111).toBe(0o111);
  });

  it.each(nodes())("converts through the import and the command on Node %s", async (_, node) => {
    copyFileSync(fixture("sample.png"), join(project, "a.png"));
    writeFileSync(
      join(project, "try.js"),
      `import { createClient, AnyformError } from "@anyform/client";
       const client = createClient({ apiKey: process.env.ANYFORM_API_KEY, baseUrl: process.env.ANYFORM_URL });
       const file = await client.convert("a.png", "jpg", { options: { quality: 60 } });
       await file.save("a.jpg", { overwrite: true });
       const error = await client.convert("a.png", "mp3").catch((reason) => reason);
       console.log(file.name, (await file.bytes()).length === file.size, error instanceof AnyformError, error.code);`,
    );
    const env = { ANYFORM_URL: bench.service.url, ANYFORM_API_KEY: bench.apiKey };
    const script = await anyform({ cwd: project, env, program: [node, "try.js"] }, []);
    expect([script.stderr, script.stdout.toString()]).toEqual(["", "a.jpg true true unsupported_conversion\n"]);
    const program = [node, join(project, "node_modules/.bin/anyform")] as const;
    const command = await anyform(
      { cwd: project, env, program },
      ["convert", "-", "--to", "webp"],
      readFileSync(fixture("sample.png")),
    );
    expect([command.code, command.stdout.subarray(8, 12).toString()]).toEqual([0, "WEBP"]);
  });

  it("has types that work for its users", () => {
    writeFileSync(
      join(project, "typed.ts"),
      `import { type Anyform, createClient, type Job } from "@anyform/client";
       const client: Anyform = createClient({ baseUrl: "http://127.0.0.1:8080" });
       export const size: Promise<number> = client.convert("a.png", "jpg").then((file) => file.size);
       export const state = (job: Job): "completed" | undefined => (job.status === "completed" ? job.status : undefined);
       client.convert("a.png", "a-newer-format", { options: { quality: 80 }, otherOptions: { a_newer_option: 1 } });
       // @ts-expect-error: an unknown option
       client.convert("a.png", "jpg", { options: { qualty: 80 } });
       // @ts-expect-error: not a value of the option
       client.convert("a.png", "jpg", { options: { fit: "tight" } });
       // @ts-expect-error: a number is not a valid input
       client.convert(7, "jpg");`,
    );
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
    const types = ["--typeRoots", join(root, "node_modules/@types"), "--types", "node"];
    const args = [...options, ...types, join(project, "typed.ts")];
    const { stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), args, { cwd: project, encoding: "utf8" });
    expect(stdout).toBe("");
  });

  it("runs with only browser APIs", async () => {
    const entry = 'export { createClient } from "@anyform/client";';
    const { outputFiles } = await build({
      stdin: { contents: entry, resolveDir: project },
      bundle: true,
      platform: "browser",
      format: "iife",
      globalName: "anyform",
      write: false,
    });
    const web = {
      AbortController,
      AbortSignal,
      Blob,
      crypto,
      fetch,
      File,
      FormData,
      ReadableStream,
      TransformStream,
      URL,
    };
    const context = createContext({ ...web, URLSearchParams, Uint8Array, setTimeout, clearTimeout });
    runInContext(outputFiles[0]?.text ?? "", context);
    const input = new File([readFileSync(fixture("sample.png"))], "b.png");
    Object.assign(context, { input, settings: { apiKey: bench.apiKey, baseUrl: bench.service.url } });
    const work = 'anyform.createClient(settings).convert(input, "jpg").then((file) => file.blob())';
    const blob: unknown = await runInContext(work, context);
    expect(blob).toMatchObject({ type: "image/jpeg" });
    const path = 'anyform.createClient(settings).convert("b.png", "jpg").catch((error) => error.code)';
    expect(await runInContext(path, context)).toBe("invalid_input");
  });
});
