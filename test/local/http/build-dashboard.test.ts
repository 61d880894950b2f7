import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildDashboard } from "../../../local/http/build-dashboard.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";

/** The real build, on a project with three files. */

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const write = (name: string, content: string): void => writeFileSync(at(name), content);
const page = (): string => readFileSync(at("dist/dashboard/index.html"), "utf8");

beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(at("dashboard"));
  write("package-lock.json", "{}");
  write(
    "dashboard/vite.config.mjs",
    'export default { logLevel: "warn", build: { outDir: "unused", emptyOutDir: true } };',
  );
  write("dashboard/index.html", '<!doctype html><title>First</title><script type="module" src="/main.js"></script>');
  write("dashboard/main.js", 'document.title = "Begun";');
});
afterEach(() => folder.remove());

describe("the dashboard build", () => {
  test("runs if the output is missing, and again only after a source changes", async () => {
    expect(await buildDashboard(folder.path)).toMatchObject({ outcome: "built" });
    expect(page()).toContain("<title>First</title>");
    expect(page()).toMatch(/src="\/assets\/index-[\w-]+\.js"/);
    expect(await buildDashboard(folder.path)).toEqual({ outcome: "kept" });
    write("dashboard/index.html", "<!doctype html><title>Second</title>");
    expect(await buildDashboard(folder.path)).toMatchObject({ outcome: "built" });
    expect(page()).toContain("<title>Second</title>");
    write("package-lock.json", '{"packages":{}}');
    expect(await buildDashboard(folder.path)).toMatchObject({ outcome: "built" });
  });

  test("does not run again when only the times of sources have changed", async () => {
    await buildDashboard(folder.path);
    const stamp = () => readFileSync(at("dist/dashboard.sources"), "utf8").split("\n");
    const [hash, state] = stamp();
    utimesSync(at("dashboard/main.js"), 1_000, 1_000);
    expect(await buildDashboard(folder.path)).toEqual({ outcome: "kept" });
    expect(stamp()[0]).toBe(hash);
    expect(stamp()[1]).not.toBe(state);
  });

  test("is complete for concurrent starts, and leaves no other files", async () => {
    const outcomes = await Promise.all([1, 2, 3].map(() => buildDashboard(folder.path)));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["built", "built", "built"]);
    expect(page()).toContain("<title>First</title>");
    expect(readdirSync(at("dist")).sort()).toEqual(["dashboard", "dashboard.sources"]);
  });
});

test("a failing build reports the reason and keeps the existing output", async () => {
  await buildDashboard(folder.path);
  write("dashboard/main.js", 'import { gone } from "./nowhere.js"; gone();');
  expect(await buildDashboard(folder.path)).toEqual({
    outcome: "failed",
    output: expect.stringContaining("nowhere.js"),
  });
  expect(page()).toContain("<title>First</title>");
  expect(readdirSync(at("dist")).sort()).toEqual(["dashboard", "dashboard.sources"]);
});

test("without sources, as in the image, the existing output is served", async () => {
  rmSync(at("dashboard"), { recursive: true });
  expect(await buildDashboard(folder.path)).toEqual({ outcome: "kept" });
});
