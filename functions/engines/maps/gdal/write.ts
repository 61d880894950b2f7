import type { JobError } from "../../../domain/errors.ts";
import { type Layer, layersOf } from "./layers.ts";
import type { Gdal } from "./module.ts";
import { hasHeights, isMixed, shapeClasses } from "./shapes.ts";
import type { Target } from "./targets.ts";

/** What to write: layers of an open dataset. */
export interface Writing {
  readonly gdal: Gdal;
  readonly dataset: number;
  readonly layers: readonly Layer[];
  readonly target: Target;
  /** Layers without a coordinate system whose coordinates are interpreted as degrees. */
  readonly assumed: ReadonlySet<Layer>;
  /** @returns the error to throw after GDAL has failed */
  fail(): JobError;
}

/** A written file: its name in the step's folder, the name for the result, and its expected number of features. */
export interface Laid {
  readonly file: string;
  readonly name: string;
  readonly features: number;
  /** Features that the format cannot represent. */
  readonly dropped: number;
}

/** Writes the layers: to one file if it can contain all of them, else to one file each. */
export const writeLayers = (writing: Writing): Laid[] => {
  const { layers, target } = writing;
  if (target.holds === "layers") {
    const name = layers.length === 1 ? (layers[0]?.name ?? "") : "layers";
    return [write(writing, { file: "out", name, layers, options: freeColumns(layers) })];
  }
  return layers.flatMap((layer, index) => {
    const simple = { file: `out-${index + 1}`, name: layer.name, layers: [layer], options: [] };
    if (target.holds === "shapes") {
      return holding(writing, layer, (held, copy) => writeShapes(held, { layer, copy, file: simple.file }));
    }
    return target.driver === "FlatGeobuf" && isMixed(layer)
      ? holding(writing, layer, (held, copy) => {
          const options = hasHeights(held.gdal, held.dataset, { layer: copy }) ? ["-nlt", "GEOMETRYZ"] : [];
          return [write(held, { ...simple, layers: [copy], options })];
        })
      : [write(writing, simple)];
  });
};

interface File {
  readonly file: string;
  readonly name: string;
  readonly layers: readonly Layer[];
  readonly options: readonly string[];
}

const write = (writing: Writing, { file, name, layers, options }: File): Laid => {
  const { gdal, dataset, target, assumed, fail } = writing;
  const system = layers.every((layer) => assumed.has(layer)) ? ["-a_srs", "EPSG:4326"] : [];
  const all = ["-f", target.driver, ...target.options, ...options, ...system, ...named(layers)];
  const features = layers.reduce((sum, layer) => sum + layer.features, 0);
  const attempts = attemptsOf(target, file);
  for (const [index, { path, more }] of attempts.entries()) {
    const made = gdal.translate(dataset, `/job/${path}`, [...all, ...more]);
    if (made !== 0) {
      gdal.close(made);
      return { file: path, name, features, dropped: 0 };
    }
    if (index + 1 < attempts.length) {
      gdal.takeMessages();
    }
  }
  throw fail();
};

/** A spatial index cannot contain features without a geometry, so it is omitted when there are any. */
const attemptsOf = ({ driver, extension }: Target, file: string) => [
  { path: `${file}.${extension}`, more: [] },
  ...(driver === "FlatGeobuf" ? [{ path: `${file}-plain.${extension}`, more: ["-lco", "SPATIAL_INDEX=NO"] }] : []),
];

/** A layer name that looks like an option can only be selected by a query. */
const named = (layers: readonly Layer[]): string[] => {
  const [first] = layers;
  return layers.length === 1 && first?.name.startsWith("-")
    ? ["-sql", `SELECT * FROM "${first.name.replaceAll('"', '""')}"`]
    : layers.map(({ name }) => name);
};

/** @returns unused names for the two columns that GeoPackage adds */
const freeColumns = (layers: readonly Layer[]): string[] => {
  const taken = new Set(layers.flatMap(({ fields }) => fields.map(({ name }) => name.toLowerCase())));
  const free = (name: string): string => (taken.has(name) ? free(`${name}_`) : name);
  return ["-lco", `FID=${free("fid")}`, "-lco", `GEOMETRY_NAME=${free("geom")}`];
};

/** Copies a layer to memory, where it can be queried beyond what its driver supports. */
const holding = (writing: Writing, layer: Layer, use: (held: Writing, copy: Layer) => Laid[]): Laid[] => {
  const { gdal, dataset, assumed, fail } = writing;
  const held = gdal.translate(dataset, "", ["-f", "Memory", ...named([layer])]);
  if (held === 0) {
    throw fail();
  }
  try {
    const copy = layersOf(gdal, held)[0] ?? layer;
    return use({ ...writing, dataset: held, assumed: new Set(assumed.has(layer) ? [copy] : []) }, copy);
  } finally {
    gdal.close(held);
  }
};

/** A shapefile has one geometry type, so a layer of mixed types is split. */
const writeShapes = (held: Writing, { layer, copy, file }: { layer: Layer; copy: Layer; file: string }): Laid[] => {
  const classes = shapeClasses(held.gdal, held.dataset, copy);
  const laid = classes.map(({ name, options, features }) => {
    const part = { ...copy, features };
    return write(
      { ...held, assumed: new Set(held.assumed.has(copy) ? [part] : []) },
      {
        file: `${file}${name}`,
        name: `${layer.name}${classes.length > 1 ? name : ""}`,
        layers: [part],
        options: ["-nlt", "CONVERT_TO_LINEAR", ...options],
      },
    );
  });
  const dropped = layer.features - laid.reduce((sum, { features }) => sum + features, 0);
  return laid.map((shapes, position) => (position === 0 ? { ...shapes, dropped } : shapes));
};
