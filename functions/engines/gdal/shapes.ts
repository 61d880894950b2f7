import { type Layer, layersOf } from "./layers.ts";
import type { Gdal } from "./module.ts";

/**
 * The kinds of geometry that a shapefile can be of: a suffix for its name, the types that go into it, and what its own
 * type is called where they have heights.
 */
const CLASSES = [
  { name: "-points", types: ["POINT"], shape: "POINTZ" },
  { name: "-multipoints", types: ["MULTIPOINT"], shape: "MULTIPOINTZ" },
  {
    name: "-lines",
    types: ["LINESTRING", "MULTILINESTRING", "CIRCULARSTRING", "COMPOUNDCURVE", "MULTICURVE"],
    shape: "ARCZ",
  },
  { name: "-polygons", types: ["POLYGON", "MULTIPOLYGON", "CURVEPOLYGON", "MULTISURFACE"], shape: "POLYGONZ" },
] as const;

/** Features of one kind: a suffix for the name of their shapefile, the options that choose them, and their number. */
export interface ShapeClass {
  readonly name: string;
  readonly options: readonly string[];
  readonly features: number;
}

/** Whether the layer may mix kinds of geometry, or does not say which it has. */
export const isMixed = ({ geometry }: Layer): boolean =>
  geometry !== undefined && /Geometry|Unknown|Any/.test(geometry);

/**
 * @param held a dataset in memory with this one layer, on which conditions can be tried
 * @returns the shapefiles that it becomes; features without a geometry go into the first. Collections go into none
 */
export const shapeClasses = (gdal: Gdal, held: number, layer: Layer): ShapeClass[] => {
  if (!isMixed(layer)) {
    return [{ name: "", options: [], features: layer.features }];
  }
  // A condition stays with the layer, so what is asked without one comes first.
  const shapes = CLASSES.map(({ types, shape }) =>
    hasHeights(gdal, held, { layer, types }) ? ["-lco", `SHPT=${shape}`] : [],
  );
  const count = (where: string): number => layersOf(gdal, held, ["-where", where])[0]?.features ?? 0;
  const present = CLASSES.map(({ name, types }, index) => {
    const where = `OGR_GEOMETRY IN (${types.map((type) => `'${type}'`).join(", ")})`;
    return { name, where, shape: shapes[index] ?? [], features: count(where) };
  }).filter(({ features }) => features > 0);
  const empty = count("OGR_GEOMETRY IS NULL");
  return present.map(({ name, where, shape, features }, index) =>
    index === 0 && empty > 0
      ? { name, options: ["-where", `${where} OR OGR_GEOMETRY IS NULL`, ...shape], features: features + empty }
      : { name, options: ["-where", where, ...shape], features },
  );
};

/**
 * Whether some geometry has a third coordinate: a layer of mixed kinds does not say, and its first feature would decide
 * for all.
 *
 * @param held a dataset in memory with this one layer
 */
export const hasHeights = (
  gdal: Gdal,
  held: number,
  { layer: { name, geometryName }, types = [] }: { layer: Layer; types?: readonly string[] },
): boolean => {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const column = quoted(geometryName || "geometry");
  const kinds = types.map((type) => `GeometryType(${column}) LIKE '${type}%'`).join(" OR ") || "1";
  const sql = `SELECT 1 FROM ${quoted(name)} WHERE CoordDimension(${column}) LIKE '%Z%' AND (${kinds}) LIMIT 1`;
  return (layersOf(gdal, held, ["-dialect", "SQLite", "-sql", sql])[0]?.features ?? 0) > 0;
};
