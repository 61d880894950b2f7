import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Feature, FeatureCollection, Position } from "geojson";
import { expect } from "vitest";
import { extensionOf, type FormatId } from "../../../functions/domain/formats/formats.ts";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { PLACES } from "../support/geo-features.ts";
import { scratchFolder } from "../support/scratch.ts";
import { withTool } from "../support/tools.ts";
import { type Check, contract, type Result } from "./contract.ts";

const scratch = scratchFolder();

/** The features of a file in a JSON format. */
const readers: Partial<Record<FormatId, (text: string) => Feature[]>> = {
  geojson: (text) => (JSON.parse(text) as FeatureCollection).features,
  geojsonl: (text) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Feature),
};

/** @returns the features of all layers in degrees, as read by Debian's GDAL; undefined if it is not installed */
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

/** @returns the files of the result: itself, or the members of a zip */
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

/** @returns all positions of the features with this name, rounded to a meter and sorted: rings may start elsewhere */
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
  const expected = PLACES.filter(({ geometry }) =>
    from === "csv" ? geometry.type === "Point" : hasAreas || geometry.type !== "Polygon",
  );
  for (const place of expected) {
    const name = place.properties?.name;
    expect(placesNamed(features, name), `position of ${name}`).toEqual(placesNamed([place], name));
  }
  const names = features.map(({ properties }) => properties?.name ?? properties?.Name);
  expect(new Set(names), "no other features").toEqual(new Set(expected.map(({ properties }) => properties?.name)));
  expect(codes.filter((code) => code !== "names_shortened")).toEqual(
    to === "gpx" && !["gpx", "shp", "csv"].includes(from) ? ["features_dropped"] : [],
  );
  if (hasAreas) {
    checkAttributes(features, expected, to);
  }
  const [point] = features.filter(({ properties }) =>
    String(properties?.name ?? properties?.Name).startsWith("Zürich"),
  );
  const [longitude, latitude, height = Number(point?.properties?.ele)] = positionsOf(
    point?.geometry && "coordinates" in point.geometry ? point.geometry.coordinates : [],
  ).flat();
  expect([longitude?.toFixed(6), latitude?.toFixed(6), height]).toEqual(["8.541694", "47.376887", 408.5]);
};

const checkAttributes = (features: readonly Feature[], places: readonly Feature[], to: FormatId): void => {
  for (const { properties } of places) {
    const found = features.find(
      (feature) => (feature.properties?.name ?? feature.properties?.Name) === properties?.name,
    );
    expect(found?.properties?.code, `code in ${extensionOf(to)}`).toBe(properties?.code);
    expect(Number(found?.properties?.big)).toBe(properties?.big);
    expect(Number(found?.properties?.share)).toBe(properties?.share);
    expect(String(found?.properties?.day).replaceAll("/", "-")).toContain(properties?.day);
  }
};

contract("geo", {
  geojson: samePlaces,
  geojsonl: samePlaces,
  kml: samePlaces,
  kmz: samePlaces,
  gpx: samePlaces,
  shp: samePlaces,
  gpkg: samePlaces,
  fgb: samePlaces,
});
