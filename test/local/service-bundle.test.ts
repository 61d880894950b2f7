import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type BundleSources, bundledStart, bundleService, SOURCES } from "../../local/bundle/service-bundle.ts";
import { recordedModules } from "../support/recorded-modules.ts";
import { startProcess } from "../support/services/local-service.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";

/** The real bundle, in a folder of the project: it finds packages as the one that a start uses. */

const root = join(import.meta.dirname, "../..");

let data: TemporaryFolder;
let folder: TemporaryFolder;
let bundle: string;
beforeAll(() => {
  const parent = join(root, "node_modules/.cache");
  mkdirSync(parent, { recursive: true });
  folder = temporaryFolder(parent);
  bundle = join(folder.path, "service");
});
afterAll(() => folder.remove());
beforeEach(() => {
  data = temporaryFolder();
  return () => data.remove();
});

const readSources = (): BundleSources => JSON.parse(readFileSync(join(bundle, SOURCES), "utf8"));
const sorted = ({ sources }: BundleSources) => sources.toSorted((one, other) => (one.path < other.path ? -1 : 1));
const writeSources = (sources: BundleSources): void => writeFileSync(join(bundle, SOURCES), JSON.stringify(sources));

test("is written once, and again after a source has changed", async () => {
  expect(bundledStart(bundle)).toBeUndefined();
  expect(await bundleService(bundle)).toBe(true);
  expect(bundledStart(bundle)).toBe(join(bundle, "main.mjs"));
  expect(await bundleService(bundle)).toBe(false);
  const written = readSources();
  for (const path of ["local/main.ts", "local/service.ts", "functions/api/routes.ts", "package-lock.json"]) {
    const sources = written.sources.map((source) =>
      source.path === path ? { ...source, mtimeMs: source.mtimeMs - 1 } : source,
    );
    expect(sources).not.toEqual(written.sources);
    writeSources({ ...written, sources });
    expect(bundledStart(bundle)).toBeUndefined();
  }
  expect(await bundleService(bundle)).toBe(true);
  expect(sorted(readSources())).toEqual(sorted(written));
  expect(readdirSync(folder.path)).toEqual(["service"]);
  // Names with hashes would fill Node's compile cache.
  expect(readdirSync(bundle)).toEqual(
    expect.arrayContaining(["main.mjs", "service.mjs", "gotenberg.mjs", "chunk.mjs"]),
  );
});

test("is not used after a source was removed, in another folder, or when it is damaged", async () => {
  await bundleService(bundle);
  const written = readSources();
  writeSources({ ...written, sources: [...written.sources, { path: "local/gone.ts", size: 1, mtimeMs: 1 }] });
  expect(bundledStart(bundle)).toBeUndefined();
  writeSources({ ...written, root: "/elsewhere" });
  expect(bundledStart(bundle)).toBeUndefined();
  writeFileSync(join(bundle, SOURCES), '{"root":');
  expect(bundledStart(bundle)).toBeUndefined();
  writeSources(written);
  expect(bundledStart(bundle)).toBeDefined();
});

test("is the whole service: API, pages, forms of Gotenberg and converters, without loading a source", async () => {
  await bundleService(bundle);
  const { recorder, names } = recordedModules(data.path);
  const dataDir = join(data.path, "data");
  const service = await startProcess(["--import", recorder, bundledStart(bundle) ?? ""], {
    HOST: "127.0.0.1",
    PORT: "0",
    DATA_DIR: dataDir,
    ANYFORM_GOTENBERG: "true",
  });
  try {
    const { url } = service;
    const headers = { authorization: `Bearer ${readFileSync(join(dataDir, "api-key"), "utf8").trim()}` };
    const sent = new FormData();
    sent.append("file", new Blob([readFileSync(join(root, "test/fixtures/sample.heic"))]), "sample.heic");
    sent.append("target_format", "jpg");
    const converted = await fetch(`${url}/api/v1/convert`, { method: "POST", headers, body: sent });
    expect([converted.status, converted.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    const form = await fetch(`${url}/forms/libreoffice/convert`, { method: "POST", headers, body: new FormData() });
    expect(form.status).toBe(400);
    expect(await (await fetch(`${url}/`)).text()).toContain("<title>");
  } finally {
    await service.stop();
  }
  const files = names().filter((name) => name.startsWith("file:"));
  expect(files.filter((name) => name.endsWith(".ts"))).toEqual([]);
  expect(files.length).toBeLessThan(20);
});
