import { type Layer, layersOf } from "./layers.ts";
import type { Gdal } from "./module.ts";

/**
 * The geometry classes of a shapefile: a suffix for its name, its types, and the name of its shape type when they have
 * heights.
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

/** Features of one class: a suffix for the shapefile's name, the options that select them, and their number. */
export interface ShapeClass {
  readonly name: string;
  readonly options: readonly string[];
  readonly features: number;
}

/** Whether the layer may mix geometry types, or does not declare its type. */
export const isMixed = ({ geometry }: Layer): boolean =>
  geometry !== undefined && /Geometry|Unknown|Any/.test(geometry);

/**
 * @param held an in-memory dataset with this one layer, which conditions can be applied to
 * @returns the resulting shapefiles; features without a geometry go to the first, collections to none
 */
export const shapeClasses = (gdal: Gdal, held: number, layer: Layer): ShapeClass[] => {
  if (!isMixed(layer)) {
    return [{ name: "", options: [], features: layer.features }];
  }
  // A condition is kept by the layer, so queries without one come first.
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
 * Whether any geometry has a third coordinate: a layer of mixed types does not declare it, and otherwise the first
 * feature would decide for all.
 *
 * @param held an in-memory dataset with this one layer
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
