import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { IN_PAGES, type Locked, licenseOf, nameIn, programOf, shippedPlaces, systemPackages } from "./licenses.ts";

/**
 * `node layers/sbom.ts`: everything that is shipped, as CycloneDX 1.6 (cyclonedx.org, "Specification"): the npm packages
 * in bundles, layers, image and pages, and the system programs. `npm sbom` treats the packages of the pages as
 * development tools, and rejects a tree with conflicting development packages.
 */

/** A shipped component. */
interface Component {
  readonly type: "application" | "library";
  readonly "bom-ref": string;
  readonly group?: string;
  readonly name: string;
  /** Debian packages have no fixed version: each build of the image installs the newest. */
  readonly version?: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: "SHA-512"; readonly content: string }[];
  readonly licenses: readonly License[];
}

type License = { readonly expression: string } | { readonly license: { readonly id: string } };

/** The used parts of a CycloneDX document. */
export interface Sbom {
  readonly $schema: string;
  readonly bomFormat: "CycloneDX";
  readonly specVersion: "1.6";
  readonly serialNumber: string;
  readonly version: 1;
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** @returns the document with this identifier and timestamp */
export const sbom = ({ id, now }: { readonly id: string; readonly now: Date }): Sbom => {
  const places = shippedPlaces();
  const root = rootPackage();
  const self: Component = {
    type: "application",
    ...named(root.name, root.version),
    licenses: licensesOf(root.license),
  };
  const packages = [...places].map(([place, locked]) => packageIn(place, locked));
  const programs = systemPackages().map(programNamed);
  const direct = [...Object.keys(root.dependencies), ...IN_PAGES.filter((name) => name in root.devDependencies)];
  const rootRefs = refsOf("", direct, places);
  const edges = [...places].map(
    ([place, locked]) => [refOf(nameIn(place), locked.version), refsOf(place, wantedBy(locked), places)] as const,
  );
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${id}`,
    version: 1,
    metadata: { timestamp: now.toISOString(), component: self },
    components: sorted(new Map([...packages, ...programs].map((each) => [each["bom-ref"], each]))),
    dependencies: [
      { ref: self["bom-ref"], dependsOn: [...rootRefs, ...programs.map((program) => program["bom-ref"])] },
      ...sorted(merged(edges)),
    ],
  };
};

interface Root {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const rootPackage = (): Root => JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));

/** The package URL, which identifies a package in the document (github.com/package-url/purl-spec). */
const refOf = (name: string, version: string): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

const named = (whole: string, version: string) => {
  const [name = whole, group] = whole.split("/").reverse();
  const purl = refOf(whole, version);
  return { "bom-ref": purl, ...(group !== undefined && { group }), name, version, purl };
};

const packageIn = (place: string, locked: Locked): Component => {
  const name = nameIn(place);
  const content = Buffer.from(locked.integrity?.replace("sha512-", "") ?? "", "base64").toString("hex");
  return {
    type: "library",
    ...named(name, locked.version),
    ...(content !== "" && { hashes: [{ alg: "SHA-512" as const, content }] }),
    licenses: licensesOf(licenseOf(name, locked)),
  };
};

const programNamed = (name: string): Component => {
  const purl = `pkg:deb/debian/${name}`;
  return { type: "application", "bom-ref": purl, name, purl, licenses: licensesOf(programOf(name)?.license ?? "") };
};

const licensesOf = (expression: string): readonly License[] =>
  /[ ()]/.test(expression) ? [{ expression }] : [{ license: { id: expression } }];

const wantedBy = ({ dependencies, optionalDependencies, peerDependencies }: Locked): readonly string[] =>
  Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });

/** @returns the references of the shipped packages with these names, as Node resolves them from this path */
const refsOf = (place: string, names: readonly string[], places: ReadonlyMap<string, Locked>): string[] =>
  names.flatMap((name) => {
    const found = above(place).find((folder) => places.has(`${folder}node_modules/${name}`));
    const version = found === undefined ? undefined : places.get(`${found}node_modules/${name}`)?.version;
    return version === undefined ? [] : [refOf(name, version)];
  });

/** @returns the folders that Node searches from this path, nearest first: `node_modules/a/`, `` */
const above = (place: string): readonly string[] => {
  const outer = place.slice(0, Math.max(0, place.lastIndexOf("node_modules/")));
  return place === "" ? [""] : [`${place}/`, ...above(outer.replace(/\/$/, ""))];
};

/** A package can be installed at several paths, where it resolves different packages. */
const merged = (edges: readonly (readonly [ref: string, refs: readonly string[]])[]) => {
  const byRef = Map.groupBy(edges, ([ref]) => ref);
  return new Map(
    [...byRef].map(([ref, all]) => [ref, { ref, dependsOn: [...new Set(all.flatMap(([, refs]) => refs))].sort() }]),
  );
};

const sorted = <Value>(byRef: ReadonlyMap<string, Value>): readonly Value[] =>
  [...byRef].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);

if (import.meta.main) {
  console.log(JSON.stringify(sbom({ id: randomUUID(), now: new Date() }), undefined, 2));
}
