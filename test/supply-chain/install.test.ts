import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../engines/support/scratch.ts";

/** What `npm ci` runs, and where the program that runs the service comes from. */

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, "../..");
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
const packages: Readonly<Record<string, Locked>> = readJson("package-lock.json").packages;
const scratch = scratchFolder();

test("every package with an install script is denied by name", () => {
  const { allowScripts } = readJson("package.json");
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = scripted.map(([path]) => path.split("node_modules/").at(-1) ?? "");
  expect(names).toContain("esbuild");
  expect(Object.fromEntries([...new Set(names)].sort().map((name) => [name, false]))).toEqual(allowScripts);
});

test.each(["linux-x64", "linux-arm64", "darwin-x64"])(
  "Node for %s is a package with a hash in the lock file",
  (platform) => {
    const name = `node-${platform}`;
    expect(packages[`node_modules/${name}`]).toMatchObject({
      version: readJson("package.json").optionalDependencies[name],
      integrity: expect.stringMatching(/^sha512-/),
      bin: { node: "bin/node" },
    });
    expect(Number(packages[`node_modules/${name}`]?.version.split(".")[0])).toBeGreaterThanOrEqual(24);
    expect(packages["node_modules/node"]).toBeUndefined();
  },
);

test("npm runs no install script with our settings", () => {
  // `npm test` passes its settings on to the programs that it starts.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)));
  const install = (settings: string, ...flags: string[]): boolean => {
    const folder = scratch.fresh();
    mkdirSync(join(folder, "other"), { recursive: true });
    const script = "node -e \"fs.writeFileSync('ran', '')\"";
    writeFileSync(
      join(folder, "other/package.json"),
      JSON.stringify({ name: "other", version: "1.0.0", scripts: { postinstall: script } }),
    );
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ name: "own", version: "1.0.0", dependencies: { other: "file:other" } }),
    );
    writeFileSync(join(folder, ".npmrc"), settings);
    execFileSync("npm", ["install", "--offline", ...flags], { cwd: folder, env, stdio: "pipe" });
    return existsSync(join(folder, "other/ran"));
  };
  const settings = readFileSync(join(root, ".npmrc"), "utf8");
  expect(settings).toMatch(/^strict-allow-scripts=true$/m);
  expect(install(settings)).toBe(false);
  // Control: npm runs the script otherwise.
  expect(install("", "--dangerously-allow-all-scripts")).toBe(true);
});
