import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { laneIds, lanes } from "../../functions/domain/lanes.ts";
import { buildLayer, layerNames, nativeFiles } from "../../layers/build.ts";

/** Bytes that a function may have with all its layers, unzipped: 250 MiB (AWS Lambda Developer Guide, "Lambda quotas"). */
const FUNCTION_BYTES_MAX = 250 * 1_048_576;

/** As ELF numbers processors. */
const [X86_64, ARM64] = [62, 183];

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

const read = <T>(path: string): T => JSON.parse(readFileSync(path, "utf8"));

describe.each(layerNames())("the layer %s", (name) => {
  const { dependencies } = read<Manifest>(`layers/${name}/package.json`);

  test("has the versions that everything is tested with", () => {
    const { dependencies: tested } = read<Manifest>("package.json");
    expect(tested).toMatchObject(dependencies);
  });

  test("has a lock file that fits", () => {
    const { packages } = read<Lock>(`layers/${name}/package-lock.json`);
    for (const [dependency, version] of Object.entries(dependencies)) {
      expect(packages[`node_modules/${dependency}`]?.version).toBe(version);
    }
  });

  test("is named like the engine that needs it", () => {
    expect(laneIds.flatMap((lane): readonly string[] => lanes[lane].engines)).toContain(name);
  });
});

test("native files of another processor are recognised", () => {
  const found = new Set(nativeFiles("node_modules/@img").values());
  expect([...found]).toEqual([process.arch === "arm64" ? ARM64 : X86_64]);
});

/** Whether the packages can be had: without the registry no layer can be built, and `npm run synth` says so. */
const hasRegistry = (() => {
  try {
    execFileSync("npm", ["view", "detect-libc", "version"], { stdio: "ignore", timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasRegistry)("built layers", () => {
  const dist = mkdtempSync(join(tmpdir(), "anyform-layers-"));
  beforeAll(() => {
    for (const name of layerNames()) {
      buildLayer(name, dist);
    }
  });
  afterAll(() => rmSync(dist, { recursive: true }));

  test("hold native files for Lambda's processor only, whatever this machine's is", () => {
    const found = nativeFiles(dist);
    expect([...found.keys()].filter((path) => path.endsWith(".node"))).toHaveLength(1);
    expect(new Set(found.values())).toEqual(new Set([ARM64]));
  });

  test("leave a converter far below the size that Lambda takes", () => {
    const files = globSync("**/*", { cwd: dist }).map((path) => statSync(join(dist, path)));
    const bytes = files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(FUNCTION_BYTES_MAX / 4);
  });

  test("are not built again while their lock file stays as it is", () => {
    expect(layerNames().map((name) => buildLayer(name, dist))).toEqual([false, false]);
  });
});
