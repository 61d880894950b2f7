import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { Architecture, Handler, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtAssets } from "../../infra/assets.ts";

/** The Docker build context of `cdk deploy`; the Dockerfile copies all of it. */

const outdir = mkdtempSync(join(tmpdir(), "anyform-asset-"));
let files: readonly string[] = [];
let source: { readonly dockerFile: string; readonly platform: string };

beforeAll(() => {
  const app = new App({ outdir });
  const stack = new Stack(app, "Images");
  new LambdaFunction(stack, "Function", {
    code: builtAssets(process.cwd()).imageCode("arm64"),
    handler: Handler.FROM_IMAGE,
    runtime: Runtime.FROM_IMAGE,
    architecture: Architecture.ARM_64,
  });
  app.synth();
  const { dockerImages } = JSON.parse(readFileSync(join(outdir, "Images.assets.json"), "utf8"));
  const [image] = Object.values<{ source: typeof source & { directory: string } }>(dockerImages);
  source = image?.source ?? { dockerFile: "", platform: "" };
  files = globSync("**/*.*", { cwd: join(outdir, image?.source.directory ?? "") });
});
afterAll(() => rmSync(outdir, { recursive: true }));

test("contains the source of the service and its pages, but no tests, packages, history, data or builds", () => {
  const folders = new Set(files.map((path) => path.split("/")[0] ?? ""));
  expect([...folders].sort()).toEqual([
    "client",
    "dashboard",
    "docs",
    "functions",
    "layers",
    "local",
    "package-lock.json",
    "package.json",
    "test",
    "tsconfig.json",
  ]);
  expect(files.filter((path) => /^(test|layers)\/./.test(path) && !/^layers\/image(\/|$)/.test(path)).sort()).toEqual([
    "test/fixtures/sample.heic",
  ]);
  expect(files.filter((path) => /node_modules|cdk\.out|\.data/.test(path))).toEqual([]);
});

test("contains every file of the functions and of the Dockerfile", () => {
  const all = globSync("functions/**/*.*", { exclude: (path) => String(path).includes("__pycache__") });
  expect(all.filter((path) => !files.includes(path))).toEqual([]);
  expect(files).toContain("layers/image/start.sh");
  expect(files).toContain("layers/image/packages.txt");
});

test("contains all files that the Dockerfile copies", () => {
  const lines = readFileSync("layers/image/Dockerfile", "utf8").matchAll(/^COPY (?!--from)(.+) \S+$/gm);
  const copied = [...lines].flatMap(([, names = ""]) => names.split(" ")).filter((name) => name !== "LICENSE");
  expect(copied.length).toBeGreaterThan(5);
  expect(copied.filter((name) => !files.some((path) => path === name || path.startsWith(`${name}/`)))).toEqual([]);
});

test("is built for Lambda's processor from the Dockerfile of layers/image", () => {
  expect(source).toMatchObject({ dockerFile: "layers/image/Dockerfile", platform: "linux/arm64" });
});
