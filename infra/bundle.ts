import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Metafile } from "esbuild";
import type { AnyOperation } from "../functions/api/operation.ts";
import { noPermissions, type Permissions } from "../functions/api/permissions.ts";
import { fallbackRoute, routes } from "../functions/api/routes.ts";
import { absentCode, withoutCode } from "./absent-code.ts";
import { literalSchemaKeys } from "./aws-schemas.ts";
import { bundleConverter } from "./bundle-converter.ts";
import { bundleName } from "./bundle-name.ts";
import { commonOptions } from "./bundle-options.ts";
import { operationEntries, operationEntry } from "./operation-entries.ts";
import { permissions as eventPermissions } from "./permissions.ts";

/**
 * Bundles every function into `dist/functions/<name>/index.js`: minified CommonJS with the SDK inside, which starts
 * fastest (as ES modules or with the runtime's own SDK the same code needs 1.4 and 1.7 times the CPU at import).
 */

const root = join(import.meta.dirname, "..");

/** The code of every function: files below `dist/functions`, without `.js`, with their sources. */
export const bundles: Readonly<Record<string, string>> = {
  ...operationEntries,
  "convert-file/index": "functions/events/convert-file.ts",
  ...Object.fromEntries(
    [
      "announce-end",
      "check-service",
      "convert-page",
      "deliver-export",
      "deliver-webhook",
      "erase-files",
      "fail-job",
      "fail-upload",
      "import-upload",
      "deploy-site",
      "sweep-jobs",
    ].map((name) => [`${name}/index`, `functions/events/${name}.ts`] as const),
  ),
};

/** The permissions of functions, by bundle. */
const permissionsOf: ReadonlyMap<string, Permissions> = new Map([
  ...[...routes, fallbackRoute].map(
    ({ id, permissions }: AnyOperation) => [`${bundleName(id)}/index`, permissions] as const,
  ),
  ...Object.entries(eventPermissions).map(([id, permissions]) => [`${bundleName(id)}/index`, permissions] as const),
]);

/** Writes the code to the folder and replaces its contents. @returns the inputs of each file */
export const bundleInto = async (dist: string): Promise<Metafile["outputs"]> => {
  rmSync(dist, { recursive: true, force: true });
  const outputs = await Promise.all([...entriesByAbsence()].map(([, group]) => buildGroup(dist, group)));
  return Object.assign({}, ...outputs, await bundleConverter(root, dist), await placePackages(dist));
};

/** Bundles without the same code. */
interface Group {
  readonly absent: readonly string[];
  readonly entryPoints: Record<string, string>;
}

const entriesByAbsence = (): ReadonlyMap<string, Group> => {
  const groups = new Map<string, Group>();
  for (const [name, source] of Object.entries(bundles)) {
    const absent = absentCode(permissionsOf.get(name) ?? noPermissions);
    const group = groups.get(absent.join()) ?? { absent, entryPoints: {} };
    groups.set(absent.join(), group);
    group.entryPoints[name] = source;
  }
  return groups;
};

const buildGroup = async (dist: string, { absent, entryPoints }: Group): Promise<Metafile["outputs"]> => {
  const { metafile } = await build({
    ...commonOptions,
    entryPoints,
    outdir: dist,
    format: "cjs",
    mainFields: ["module", "main"],
    external: Object.keys(copiedPackages),
    alias: {
      "@aws-sdk/credential-provider-node": join(root, "infra/lambda-credentials.ts"),
      "@smithy/core/event-streams": join(root, "infra/lambda-event-streams.ts"),
    },
    supported: { "dynamic-import": false },
    // CommonJS has no import.meta: without these lines esbuild leaves it empty.
    banner: { js: 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;' },
    define: {
      "import.meta.url": "importMetaUrl",
      "import.meta.dirname": "__dirname",
      "import.meta.filename": "__filename",
    },
    plugins: [operationEntry(root), withoutCode(root, absent), literalSchemaKeys],
  });
  return metafile.outputs;
};

/**
 * Packages that are copied next to the code of the functions that need them, so that other functions do not load them
 * at startup: Stripe's package has 240 kB, that for OpenID Connect 85 kB.
 */
const copiedPackages: Readonly<Record<string, readonly string[]>> = {
  stripe: routes.filter(({ permissions }: AnyOperation) => permissions.pays).map(({ id }) => bundleName(id)),
  "openid-client": routes
    .filter(({ permissions }: AnyOperation) => permissions.identifies)
    .map(({ id }) => bundleName(id)),
};

const placePackages = async (dist: string): Promise<Metafile["outputs"]> => {
  const { metafile } = await build({
    ...commonOptions,
    entryPoints: Object.fromEntries(
      Object.entries(copiedPackages).flatMap(([name, files]) =>
        files.map((file) => [`${file}/node_modules/${name}/index`, name] as const),
      ),
    ),
    outdir: dist,
    format: "cjs",
  });
  return metafile.outputs;
};

/** The pages of the dashboard, next to the code of the function that uploads them to their bucket. */
const deploySite = (folder: string): void => {
  const built = join(root, "dist/dashboard");
  if (!existsSync(built)) {
    throw new Error(`${built} does not exist. Build it with: npx vite build dashboard`);
  }
  cpSync(built, join(folder, "pages"), { recursive: true });
};

if (import.meta.main) {
  const dist = join(root, "dist/functions");
  for (const [path, { bytes }] of Object.entries(await bundleInto(dist))) {
    console.log(`${path}: ${Math.ceil(bytes / 1_000)} kB`);
  }
  deploySite(join(dist, "deploy-site"));
  // Not deployed: prevents a local Node from treating the bundles as ES modules, like the rest of the project.
  writeFileSync(join(dist, "package.json"), '{ "type": "commonjs" }\n');
}
