import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fallbackRoute, routes } from "../../functions/api/routes.ts";
import { bundleInto, bundles } from "../../infra/bundle.ts";
import { layerNames } from "../../layers/build.ts";

/** Bytes of a route's code. Every one is read and parsed at each cold start, and clients wait for it. */
const ROUTE_BYTES_MAX = 800_000;

/** Bytes of the converter's code; `test/layers/build.test.ts` counts with them. */
const CONVERTER_BYTES_MAX = 10_000_000;

/** Bytes that Lambda takes of an answer (AWS Lambda Developer Guide, "Lambda quotas"). */
const LAMBDA_ANSWER_BYTES_MAX = 6_291_556;

const dist = mkdtempSync(join(tmpdir(), "anyform-bundle-"));
let outputs: Metafile["outputs"] = {};

beforeAll(async () => {
  outputs = await bundleInto(dist);
});
afterAll(() => rmSync(dist, { recursive: true }));

/** The packages that come from layers. */
const layered = new Set(
  layerNames().flatMap((name) =>
    Object.keys(JSON.parse(readFileSync(`layers/${name}/package.json`, "utf8")).dependencies),
  ),
);

const outputOf = (name: string) => {
  const [found] = Object.entries(outputs).filter(([path]) => path.endsWith(`/${name}.js`));
  return found?.[1];
};

describe.each([...routes, fallbackRoute].map(({ file }) => file))("%s", (file) => {
  test("has at most 800 kB", () => {
    expect(outputOf(`${file}/index`)?.bytes).toBeLessThanOrEqual(ROUTE_BYTES_MAX);
  });

  test("holds no engine", () => {
    const inputs = Object.keys(outputOf(`${file}/index`)?.inputs ?? {});
    expect(inputs).toContain(`functions/api/${file}.ts`);
    expect(inputs.filter((path) => /^functions\/engines\/|sharp|magick/.test(path))).toEqual([]);
  });
});

test.each(Object.keys(bundles))("%s asks at run time for nothing but what Node and its layers bring", (name) => {
  const asked = (outputOf(name)?.imports ?? []).map(({ path }) => path);
  const foreign = new Set(asked.filter((path) => !path.startsWith("node:") && !builtinModules.includes(path)));
  const packages = new Set([...foreign].map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path));
  expect([...packages].filter((each) => !(name === "convert-file/converter" && layered.has(each)))).toEqual([]);
});

test("the converter has at most 10 MB, most of which no job reads", () => {
  expect(outputOf("convert-file/converter")?.bytes).toBeLessThanOrEqual(CONVERTER_BYTES_MAX);
});

/** Has a function's code answer a request as Lambda does: by plain Node, with nothing else around it. */
const answer = (name: string, rawPath: string): unknown => {
  const requestContext = { requestId: "r-1", domainName: "api.example.com", http: { method: "GET", path: rawPath } };
  const event = JSON.stringify({ version: "2.0", rawPath, headers: {}, requestContext, isBase64Encoded: false });
  const script = `require("./${name}/index.js").handler(${event}, {}).then((answer) =>
    require("node:fs").writeFileSync(3, JSON.stringify(answer)))`;
  const { output } = spawnSync(process.execPath, ["-e", script], {
    cwd: dist,
    env: { AWS_REGION: "eu-central-1" },
    stdio: ["ignore", "ignore", "inherit", "pipe"],
    timeout: 20_000,
    maxBuffer: LAMBDA_ANSWER_BYTES_MAX,
  });
  return JSON.parse(String(output[3]));
};

test.each([
  ["get-health", "/health", 200],
  ["list-formats", "/api/v1/formats", 200],
  ["get-openapi", "/api/v1/openapi.json", 200],
  ["get-job", "/api/v1/convert/job_1/status", 401],
  ["fallback", "/nowhere", 404],
])("the code of %s answers by itself", (name, path, statusCode) => {
  expect(answer(name, path)).toMatchObject({ statusCode, body: expect.any(String) });
});
