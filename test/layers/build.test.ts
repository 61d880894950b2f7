import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engineIds, engineOf, laneHolds } from "../../functions/domain/conversions/engines.ts";
import { laneIds, lanes } from "../../functions/domain/conversions/lanes.ts";
import { buildLayer, layerNames, nativeFiles } from "../../layers/build.ts";

/** Maximum bytes of a function with all its layers, unzipped: 250 MiB (AWS Lambda Developer Guide, "Lambda quotas"). */
const FUNCTION_BYTES_MAX = 250 * 1_048_576;

/** Maximum bytes of the converter's own code: `test/infra/bundle.test.ts` checks it. */
const CODE_BYTES_MAX = 10_000_000;

/** Processor numbers of ELF. */
const [X86_64, ARM64] = [62, 183];

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

const read = <T>(path: string): T => JSON.parse(readFileSync(path, "utf8"));

const packagesOf = (layer: string): string[] =>
  Object.keys(read<Manifest>(`layers/${layer}/package.json`).dependencies);

describe.each(layerNames())("the layer %s", (name) => {
  const { dependencies } = read<Manifest>(`layers/${name}/package.json`);

  test("has its packages in the versions that all tests use", () => {
    const { dependencies: tested } = read<Manifest>("package.json");
    expect(tested).toMatchObject(dependencies);
  });

  test("has a matching lock file", () => {
    const { packages } = read<Lock>(`layers/${name}/package-lock.json`);
    for (const [dependency, version] of Object.entries(dependencies)) {
      expect(packages[`node_modules/${dependency}`]?.version).toBe(version);
    }
  });

  test("is used by a lane", () => {
    expect(laneIds.flatMap((lane): readonly string[] => lanes[lane].layers)).toContain(name);
  });
});

/** The lanes whose functions are ZIP files with layers. */
const zipped = laneIds.filter((lane) => !lanes[lane].image);

describe.each(zipped)("the lane %s", (lane) => {
  const held = new Set(lanes[lane].layers.flatMap((name) => packagesOf(name)));
  const layered = new Set(layerNames().flatMap((name) => packagesOf(name)));
  const engines = engineIds.filter((id) => laneHolds(lane, id));

  test.each(engines)("provides all packages of the engine %s, in a layer or in its bundle", (engine) => {
    const missing = engineOf(engine).packages.filter((name) => layered.has(name) && !held.has(name));
    expect(missing).toEqual([]);
  });

  test("has at most five layers, the maximum of Lambda", () => {
    expect(lanes[lane].layers.length).toBeLessThanOrEqual(5);
  });
});

test.each(engineIds)(
  "the container image, with the service's runtime dependencies, has all packages of the engine %s",
  (id) => {
    const { dependencies } = read<Manifest>("package.json");
    expect(engineOf(id).packages.filter((name) => !(name in dependencies))).toEqual([]);
  },
);

test("native files of another processor are recognized", () => {
  const found = new Set(nativeFiles("node_modules/@img").values());
  expect([...found]).toEqual([process.arch === "arm64" ? ARM64 : X86_64]);
});

/** Whether packages can be downloaded: without the registry no layer can be built, and `npx cdk synth` says so. */
const hasRegistry = (() => {
  try {
    execFileSync("npm", ["view", "detect-libc", "version"], { stdio: "ignore", timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasRegistry && process.env.ANYFORM_REQUIRE_ALL === undefined)("built layers", () => {
  const dist = mkdtempSync(join(tmpdir(), "anyform-layers-"));
  beforeAll(() => {
    for (const name of layerNames()) {
      buildLayer(name, dist);
    }
  });
  afterAll(() => rmSync(dist, { recursive: true }));

  test("contain native files for Lambda's processor only, on any build machine", () => {
    const found = nativeFiles(dist);
    expect([...found.keys()].filter((path) => path.endsWith(".node")).length).toBeGreaterThan(1);
    expect(new Set(found.values())).toEqual(new Set([ARM64]));
  });

  test.each(zipped)(
    "keep the converter of the lane %s below the size limit of Lambda, with room for its code",
    (lane) => {
      const sizes = lanes[lane].layers.map((name) => bytesIn(join(dist, name)));
      expect(Math.min(...sizes)).toBeGreaterThan(0);
      const bytes = sizes.reduce((sum, size) => sum + size, CODE_BYTES_MAX);
      console.log(`${lane}: ${Math.round(bytes / 1e6)} MB of ${Math.round(FUNCTION_BYTES_MAX / 1e6)} MB`);
      expect(bytes).toBeLessThan(FUNCTION_BYTES_MAX);
    },
  );

  test("contain fonts, so that text in images is drawn: W is wider than i, and neither is an empty box", () => {
    const [narrow, wide] = [ink("iiii", dist), ink("WWWW", dist)];
    expect(narrow).toBeGreaterThan(1);
    expect(wide).toBeGreaterThan(2 * narrow);
  });

  test("are not built again while their lock file is unchanged", () => {
    expect(layerNames().map((name) => buildLayer(name, dist))).toEqual(layerNames().map(() => false));
  });
});

const bytesIn = (folder: string): number =>
  globSync("**/*", { cwd: folder })
    .map((path) => statSync(join(folder, path)))
    .filter((file) => file.isFile())
    .reduce((sum, { size }) => sum + size, 0);

/** @returns the darkness of an image of the text, from 0 to 255, drawn only with the fonts of the built layer */
const ink = (text: string, dist: string): number => {
  const fonts = join(dist, "fonts.conf");
  writeFileSync(fonts, readFileSync(join(dist, "pictures/fonts.conf"), "utf8").replace("/opt/", `${dist}/pictures/`));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100"><rect width="400" height="100" fill="white"/>
    <text x="10" y="70" font-size="60" font-family="Helvetica">${text}</text></svg>`;
  const script = `const { channels } = await (await import("sharp")).default(Buffer.from(process.argv[1])).greyscale().stats();
    console.log(255 - channels[0].mean)`;
  const options = { env: { FONTCONFIG_FILE: fonts }, encoding: "utf8", timeout: 20_000 } as const;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", script, svg], options));
};
