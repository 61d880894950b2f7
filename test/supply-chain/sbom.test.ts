import { join } from "node:path";
import { build } from "vite";
import { beforeAll, describe, expect, test } from "vitest";
import { IN_PAGES, licenseOf, nameIn, shippedPlaces, systemPackages } from "../../layers/licenses.ts";
import { sbom } from "../../layers/sbom.ts";

/** The software bill of materials: CycloneDX 1.6, and complete. */

const document = sbom({ id: "0f1e2d3c-0000-4000-8000-000000000000", now: new Date(0) });
const refs = new Set(document.components.map((component) => component["bom-ref"]));
const self = document.metadata.component["bom-ref"];

describe("the software bill of materials", () => {
  test("has format, version, subject and time", () => {
    expect(document).toMatchObject({
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      version: 1,
      serialNumber: "urn:uuid:0f1e2d3c-0000-4000-8000-000000000000",
      metadata: { timestamp: "1970-01-01T00:00:00.000Z", component: { name: "anyform", type: "application" } },
    });
  });

  test("lists each package of the functions and of the pages with its hash and license, and each system program", () => {
    for (const [place, locked] of shippedPlaces()) {
      const name = nameIn(place);
      const purl = `pkg:npm/${name.replace("@", "%40")}@${locked.version}`;
      const license = licenseOf(name, locked);
      expect(document.components.find((component) => component.purl === purl)).toMatchObject({
        hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
        licenses: [license.includes(" ") ? { expression: license } : { license: { id: license } }],
      });
    }
    expect([...refs]).toEqual(expect.arrayContaining(systemPackages().map((name) => `pkg:deb/debian/${name}`)));
    expect([...refs].filter((ref) => /vitest|playwright|dynoxide/.test(ref))).toEqual([]);
  });

  test("lists everything once, connected to the service", () => {
    expect(refs.size).toBe(document.components.length);
    const edges = new Map(document.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    expect(edges.size).toBe(document.dependencies.length);
    const seen = new Set<string>();
    const follow = (ref: string): void => {
      if (!seen.has(ref)) {
        seen.add(ref);
        edges.get(ref)?.forEach(follow);
      }
    };
    follow(self);
    expect([...seen].sort()).toEqual([self, ...refs].sort());
  });

  test("only has SPDX licenses", () => {
    const words = document.components.flatMap(({ licenses }) => licenses.map((each) => JSON.stringify(each)));
    expect(words.filter((word) => /SEE LICEN|UNLICENSED|:""/.test(word))).toEqual([]);
  });
});

describe("the pages", () => {
  let built: readonly string[] = [];
  beforeAll(async () => {
    const result = await build({
      configFile: join(import.meta.dirname, "../../dashboard/vite.config.ts"),
      build: { write: false, minify: false },
    });
    const outputs = [result].flat().flatMap((each) => ("output" in each ? each.output : []));
    const modules = outputs.flatMap((output) => (output.type === "chunk" ? output.moduleIds : []));
    built = [...new Set(modules.flatMap((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []))].sort();
  });

  test("are built from exactly the packages that are listed for them", () => {
    expect(built).toEqual([...IN_PAGES].sort());
  });
});
