import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Feature, FeatureCollection, Position } from "geojson";
import { feature as featureIn } from "topojson-client";
import type { Topology } from "topojson-specification";
import { expect } from "vitest";
import { extensionOf, type FormatId } from "../../../functions/domain/formats.ts";
import { readZip } from "../../../functions/engines/io/zip-reader.ts";
import { PLACES } from "../support/places.ts";
import { scratchFolder } from "../support/scratch.ts";
import { withTool } from "../support/tools.ts";
import { type Check, contract, type Result } from "./contract.ts";

const scratch = scratchFolder();

/** The features of a file that is JSON itself. */
const readers: Partial<Record<FormatId, (text: string) => Feature[]>> = {
  geojson: (text) => (JSON.parse(text) as FeatureCollection).features,
  geojsonl: (text) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Feature),
  topojson: (text) => {
    const topology = JSON.parse(text) as Topology;
    return Object.values(topology.objects).flatMap((object) => {
      const made: Feature | FeatureCollection = featureIn(topology, object);
      return made.type === "FeatureCollection" ? made.features : [made];
    });
  },
};

/** @returns the features of all layers, as Debian's GDAL reads them, in degrees; undefined where it is not installed */
const featuresByGdal = (path: string): Feature[] | undefined => {
  if (!withTool("ogr2ogr") || !withTool("ogrinfo")) {
    return undefined;
  }
  const source = path.endsWith(".zip") ? `/vsizip/${path}` : path;
  const layers = execFileSync("ogrinfo", ["-ro", "-q", source], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => /^\d+: (.*?)(?: \(.*\))?$/.exec(line)?.[1] ?? [])
    .filter((name) => !/_points$/.test(name));
  return layers.flatMap((layer) => {
    const words = ["-f", "GeoJSON", "/vsistdout/", source, layer, "-t_srs", "OGC:CRS84"];
    return (JSON.parse(execFileSync("ogr2ogr", words, { encoding: "utf8" })) as FeatureCollection).features;
  });
};

/** @returns the files of the result: itself, or those of the zip that it is */
const filesOf = async ({ path, bundled }: Result): Promise<string[]> => {
  if (!bundled) {
    return [path];
  }
  const folder = mkdtempSync(join(scratch.folder, "unpacked-"));
  return readZip(path, (zip) =>
    Promise.all(
      zip.paths.map(async (member) => {
        const file = join(folder, basename(member));
        writeFileSync(file, (await zip.read(member)) ?? "");
        return file;
      }),
    ),
  );
};

const positionsOf = (value: unknown): Position[] =>
  Array.isArray(value) ? (typeof value[0] === "number" ? [value as Position] : value.flatMap(positionsOf)) : [];

/** @returns all positions of the features of this name, to a metre, in an order of their own: rings may begin elsewhere */
const placesNamed = (features: readonly Feature[], name: unknown): string[] => {
  const found = features.filter(({ properties }) => (properties?.name ?? properties?.Name) === name);
  const positions = found.flatMap(({ geometry }) =>
    "coordinates" in geometry ? positionsOf(geometry.coordinates) : [],
  );
  return [...new Set(positions.map(([x = 0, y = 0]) => `${x.toFixed(5)} ${y.toFixed(5)}`))].toSorted();
};

const samePlaces: Check = async (result) => {
  const { from, to, codes } = result;
  const features: Feature[] = [];
  for (const file of await filesOf(result)) {
    const own = readers[to]?.(readFileSync(file, "utf8")) ?? featuresByGdal(file);
    if (own === undefined) {
      return;
    }
    features.push(...own);
  }
  const hasAreas = from !== "gpx" && to !== "gpx";
  const expected = PLACES.filter(({ geometry }) => hasAreas || geometry.type !== "Polygon");
  for (const place of expected) {
    const name = place.properties?.name;
    expect(placesNamed(features, name), `the place of ${name}`).toEqual(placesNamed([place], name));
  }
  const names = features.map(({ properties }) => properties?.name ?? properties?.Name);
  expect(new Set(names), "nothing else is there").toEqual(new Set(expected.map(({ properties }) => properties?.name)));
  expect(codes.filter((code) => code !== "names_shortened")).toEqual(
    to === "gpx" && from !== "gpx" && from !== "shp" ? ["features_dropped"] : [],
  );
  if (hasAreas) {
    checkAttributes(features, to);
  }
  const [point] = features.filter(({ properties }) =>
    String(properties?.name ?? properties?.Name).startsWith("Zürich"),
  );
  const [longitude, latitude, height = Number(point?.properties?.ele)] = positionsOf(
    point?.geometry && "coordinates" in point.geometry ? point.geometry.coordinates : [],
  ).flat();
  expect([longitude?.toFixed(6), latitude?.toFixed(6), height]).toEqual(["8.541694", "47.376887", 408.5]);
};

const checkAttributes = (features: readonly Feature[], to: FormatId): void => {
  for (const { properties } of PLACES) {
    const found = features.find(
      (feature) => (feature.properties?.name ?? feature.properties?.Name) === properties?.name,
    );
    expect(found?.properties?.code, `the code in ${extensionOf(to)}`).toBe(properties?.code);
    expect(Number(found?.properties?.big)).toBe(properties?.big);
    expect(Number(found?.properties?.share)).toBe(properties?.share);
    expect(String(found?.properties?.day).replaceAll("/", "-")).toContain(properties?.day);
  }
};

contract("geo", {
  geojson: samePlaces,
  geojsonl: samePlaces,
  topojson: samePlaces,
  kml: samePlaces,
  kmz: samePlaces,
  gpx: samePlaces,
  shp: samePlaces,
  gpkg: samePlaces,
  fgb: samePlaces,
});
