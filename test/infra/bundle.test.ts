import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import type { AnyOperation } from "../../functions/api/operation.ts";
import type { Permissions } from "../../functions/api/permissions.ts";
import { fallbackRoute, routes } from "../../functions/api/routes.ts";
import { bundleInto, bundles } from "../../infra/bundle.ts";
import { CONVERTER } from "../../infra/bundle-converter.ts";
import { bundleName } from "../../infra/bundle-name.ts";
import { permissions as eventPermissions } from "../../infra/permissions.ts";
import { layerNames } from "../../layers/build.ts";
import { shippedPackages } from "../../layers/licenses.ts";
import { bundledOnce } from "../support/run/bundled.ts";
import { IS_COMPLETE } from "../support/run/complete.ts";

/**
 * Maximum bytes of a route's code. All of it is read and parsed at each cold start, while clients wait: 10 ms per 100 kB
 * on a slow processor. `createJob`, which accepts files, conversions and pipelines, is the largest.
 */
const ROUTE_BYTES_MAX = 760_000;

/** Maximum bytes of a route that neither plans conversions nor accesses files. */
const SMALL_ROUTE_BYTES_MAX = 500_000;

/**
 * The two routes that verify passkeys need a 300 kB library, which implements seven attestation formats and their
 * certificates. They follow a touch on a sensor, and run about once a month per person.
 */
const PASSKEY_BYTES_MAX = 770_000;
const passkeyFiles: ReadonlySet<string> = new Set(["create-passkey", "create-passkey-session"]);

/** Maximum bytes of the code of an event function, where nobody waits. */
const EVENT_BYTES_MAX = 680_000;

/** Maximum bytes of the converter's code; `test/layers/build.test.ts` relies on it. */
const CONVERTER_BYTES_MAX = 10_000_000;

/** Maximum bytes of what a converter loads before it knows its job. */
const CONVERTER_START_BYTES_MAX = 100_000;

let dist = "";
let outputs: Metafile["outputs"] = {};

beforeAll(() => {
  ({ folder: dist, outputs } = bundledOnce());
});

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

// As long as all other tests of this file.
test.runIf(IS_COMPLETE)(
  "a second build is identical to the byte",
  async () => {
    const again = mkdtempSync(join(tmpdir(), "anyform-bundle-again-"));
    try {
      await bundleInto(again);
      const names = globSync("**/*.{js,mjs,gz}", { cwd: dist }).sort();
      expect(names.length).toBeGreaterThan(20);
      expect(globSync("**/*.{js,mjs,gz}", { cwd: again }).sort()).toEqual(names);
      const differ = names.filter((name) => !readFileSync(join(dist, name)).equals(readFileSync(join(again, name))));
      expect(differ).toEqual([]);
    } finally {
      rmSync(again, { recursive: true });
    }
  },
  180_000,
);

test("every bundled package is in the software bill of materials", () => {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const packages = new Set(
    inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1] ?? []),
  );
  const shipped = new Set(shippedPackages().map(({ name }) => name));
  expect(packages.size).toBeGreaterThan(20);
  expect([...packages].filter((name) => !shipped.has(name))).toEqual([]);
});

const limitOf = (name: string, { plans, files }: Permissions): number => {
  if (passkeyFiles.has(name)) {
    return PASSKEY_BYTES_MAX;
  }
  return plans === true || files !== undefined ? ROUTE_BYTES_MAX : SMALL_ROUTE_BYTES_MAX;
};

const operations = [...routes, fallbackRoute].map(({ id, permissions }: AnyOperation) => [id, permissions] as const);

const operationBundles = operations.map(([id, permissions]) => {
  const name = bundleName(id);
  return [name, limitOf(name, permissions)] as const;
});

describe.each(operationBundles)("%s", (name, bytesMax) => {
  test(`has at most ${bytesMax / 1_000} kB`, () => {
    expect(outputOf(`${name}/index`)?.bytes).toBeLessThanOrEqual(bytesMax);
  });

  test("contains no engine", () => {
    const inputs = Object.keys(outputOf(`${name}/index`)?.inputs ?? {});
    expect(inputs.filter((path) => path.startsWith("functions/api/") && path.endsWith(`/${name}.ts`))).toHaveLength(1);
    expect(inputs.filter((path) => /^functions\/engines\/|node_modules\/.*(?:sharp|magick)/.test(path))).toEqual([]);
  });
});

test.each(Object.keys(bundles))("%s only imports what Node and its layers provide", (name) => {
  const imported = (outputOf(name)?.imports ?? []).map(({ path }) => path);
  const foreign = new Set(imported.filter((path) => !path.startsWith("node:") && !builtinModules.includes(path)));
  const packages = new Set([...foreign].map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path));
  // The functions for payments and for the identity provider import a package that is next to their code.
  expect([...packages].filter((each) => !["openid-client", "stripe"].includes(each))).toEqual([]);
});

describe("the converter", () => {
  const parts = () => Object.entries(outputs).filter(([path]) => path.endsWith(".mjs"));

  /** @returns the paths of a part and of all parts that it imports statically */
  const loadedWith = (path: string, loaded: Set<string> = new Set()): ReadonlySet<string> => {
    if (!loaded.has(path)) {
      loaded.add(path);
      for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
        if (kind === "import-statement" && outputs[imported] !== undefined) {
          loadedWith(imported, loaded);
        }
      }
    }
    return loaded;
  };

  test("has at most 10 MB, of which it loads 100 kB before it knows its job", () => {
    const bytes = (paths: Iterable<string>) => [...paths].reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
    expect(bytes(parts().map(([path]) => path))).toBeLessThanOrEqual(CONVERTER_BYTES_MAX);
    const [entry = ""] = parts().flatMap(([path]) => (path.endsWith(`/${CONVERTER}.mjs`) ? [path] : []));
    expect(bytes(loadedWith(entry))).toBeLessThanOrEqual(CONVERTER_START_BYTES_MAX);
  });

  test("only requires what Node and its layers provide", () => {
    const required = parts().flatMap(([, { imports }]) => imports.filter(({ external }) => external === true));
    const packages = required.map(({ path }) => /^(?:node:[\w/]+|(?:@[^/]+\/)?[^/]+)/.exec(path)?.[0] ?? path);
    const foreign = packages.filter((each) => !each.startsWith("node:") && !builtinModules.includes(each));
    expect(foreign).toContain("sharp");
    expect(foreign.filter((each) => !layered.has(each))).toEqual([]);
  });
});

describe.each(["choose-plan", "open-billing", "receive-billing-event"])("%s", (name) => {
  test("has Stripe's package next to its code, not in it", () => {
    expect(outputOf(`${name}/node_modules/stripe/index`)?.bytes).toBeLessThanOrEqual(300_000);
    expect(Object.keys(outputOf(`${name}/index`)?.inputs ?? {}).join()).not.toContain("node_modules/stripe");
  });
});

test("no other function has Stripe's package", () => {
  const holders = Object.keys(outputs).filter((path) => path.includes("node_modules/stripe/"));
  expect(holders.length).toBe(3);
});

describe.each(["start-oidc-sign-in", "create-oidc-session"])("%s", (name) => {
  test("has the package for OpenID Connect next to its code, not in it, and finds it", () => {
    expect(outputOf(`${name}/node_modules/openid-client/index`)?.bytes).toBeLessThanOrEqual(100_000);
    expect(Object.keys(outputOf(`${name}/index`)?.inputs ?? {}).join()).not.toContain("node_modules/openid-client");
  });
});

test("no other function has the package for OpenID Connect", () => {
  expect(Object.keys(outputs).filter((path) => path.includes("node_modules/openid-client/"))).toHaveLength(2);
});

test.each([
  "announce-end",
  "deliver-export",
  "deliver-webhook",
  "erase-files",
  "fail-job",
  "fail-upload",
  "import-upload",
  "sweep-jobs",
])("%s has at most 680 kB, and no engine", (name) => {
  const { bytes, inputs = {} } = outputOf(`${name}/index`) ?? {};
  expect(bytes).toBeLessThanOrEqual(EVENT_BYTES_MAX);
  expect(Object.keys(inputs)).toContain(`functions/events/${name}.ts`);
  expect(
    Object.keys(inputs).filter((path) => /^functions\/engines\/|node_modules\/.*(?:sharp|magick)/.test(path)),
  ).toEqual([]);
});

test("functions contain the AWS clients that their permissions need, and no others", () => {
  const has = (name: string, client: string): boolean =>
    Object.keys(outputOf(`${bundleName(name)}/index`)?.inputs ?? {}).some((path) =>
      path.includes(`node_modules/@aws-sdk/client-${client}/`),
    );
  for (const [id, owned] of [...operations, ...Object.entries(eventPermissions)]) {
    expect([id, has(id, "sesv2")]).toEqual([id, owned.mails === true]);
    expect([id, has(id, "sqs")]).toEqual([
      id,
      owned.sends === true || owned.watches === true || owned.asks !== undefined,
    ]);
    expect([id, has(id, "s3")]).toEqual([id, owned.files !== undefined || owned.deploysPages === true]);
  }
});

test("only functions that plan contain the conversions, and no other reads the routes", () => {
  for (const [id, { plans }] of [...operations, ...Object.entries(eventPermissions)]) {
    const inputs = Object.entries(outputOf(`${bundleName(id)}/index`)?.inputs ?? {}).flatMap(
      ([path, { bytesInOutput }]) => (bytesInOutput > 0 && path.startsWith("functions/") ? [path] : []),
    );
    const tables = inputs.filter((path) => path.startsWith("functions/domain/conversions/by-engine/"));
    const readers = inputs.filter((path) => /\bcontext\.routes\b|\{ routes \}/.test(readFileSync(path, "utf8")));
    expect([id, tables.length > 0]).toEqual([id, plans === true]);
    expect([id, readers.length > 0]).toEqual([id, plans === true]);
  }
});

test("functions contain no part of the AWS clients that none uses", () => {
  const unused = /\/@aws-sdk\/endpoint-cache\/|\/@smithy\/core\/.*\/event-streams\//;
  for (const [path, { inputs }] of Object.entries(outputs)) {
    const found = Object.keys(inputs).filter((input) => unused.test(input));
    expect([path, found]).toEqual([path, []]);
  }
  const code = readFileSync(join(dist, "create-upload/index.js"), "utf8");
  expect(code).toContain("UploadPart");
  expect(code).not.toContain("GetBucketAcl");
});

test("the code of an operation contains no other operation", () => {
  const files = routes.map(({ id }) => `/${bundleName(id)}.ts`);
  for (const [path, { inputs }] of Object.entries(outputs)) {
    const held = Object.keys(inputs).filter((input) => files.some((file) => input.endsWith(file)));
    expect(held.length, `${path}: ${held}`).toBeLessThanOrEqual(1);
  }
});
