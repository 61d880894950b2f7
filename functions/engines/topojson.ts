import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Feature, FeatureCollection, GeoJsonProperties } from "geojson";
import { feature as featureIn } from "topojson-client";
import { topology as topologyOf } from "topojson-server";
import type { GeometryObject, Topology } from "topojson-specification";
import { TREE_NODES_MAX } from "../domain/conversion-limits.ts";
import { JobError } from "../domain/errors.ts";
import type { Engine, EngineResult, EngineTask, Part } from "./engine.ts";
import { jsonOf, parseJson, readFeatures, readMap, writeFeatures } from "./io/geojson.ts";
import { checkedGeometry } from "./io/geometry-check.ts";

/** TopoJSON: areas by the borders that they share. Nothing is rounded or simplified. */
export const topojsonEngine: Engine = {
  name: "topojson",
  version: async () => {
    const { version }: { version: string } = createRequire(import.meta.url)("topojson-server/package.json");
    return version;
  },
  convert: async (task) => {
    if (task.from === "geojson" && task.to === "topojson") {
      return toTopology(task);
    }
    if (task.from === "topojson" && task.to === "geojson") {
      return fromTopology(task);
    }
    throw new TypeError(`topojson does not turn ${task.from} into ${task.to}.`);
  },
};

const LAYER = "layer";

const toTopology = async ({ input, output }: EngineTask): Promise<EngineResult> => {
  const features = await readFeatures(input);
  const layer: FeatureCollection = { type: "FeatureCollection", features };
  const topology = topologyOf({ [LAYER]: layer });
  await writeFile(output, `${jsonOf(topology)}\n`);
  return { warnings: [] };
};

const fromTopology = async (task: EngineTask): Promise<EngineResult> => {
  const topology = parsed((await readMap(task.input)).text);
  const names = Object.keys(topology.objects);
  const { table } = task.options;
  const wanted = table === undefined ? names : names.filter((name) => name === table);
  if (wanted.length === 0) {
    const known = names.slice(0, 20).join(", ") || "none";
    throw new JobError("unsupported_feature", `The TopoJSON has no such object; it has: ${known}.`);
  }
  checkPositions(wanted.reduce((sum, name) => sum + positionsIn(topology.objects[name], topology.arcs), 0));
  const parts: Part[] = [];
  for (const [index, name] of wanted.entries()) {
    const path = `${task.folder}/object-${index + 1}`;
    await writeFeatures(path, featuresOf(topology, name));
    parts.push({ path, name: name.replaceAll(/[^\p{L}\p{N}._ -]/gu, "_").slice(0, 100) || LAYER });
  }
  return { parts, warnings: [] };
};

const parsed = (text: string): Topology => {
  const root = parseJson(text) as Partial<Topology> | null;
  if (
    root?.type !== "Topology" ||
    !Array.isArray(root.arcs) ||
    typeof root.objects !== "object" ||
    root.objects === null
  ) {
    throw new JobError("source_corrupt", "The file is no TopoJSON: it has no objects with arcs.");
  }
  return root as Topology;
};

/** @returns how many positions the arcs come to that a value names, each as often as it is named */
const positionsIn = (value: unknown, arcs: readonly unknown[]): number => {
  if (typeof value === "number") {
    const arc = arcs[value < 0 ? ~value : value];
    return Array.isArray(arc) ? arc.length : 0;
  }
  if (Array.isArray(value)) {
    return value.reduce((sum: number, inner: unknown) => sum + positionsIn(inner, arcs), 0);
  }
  const { arcs: named = [], geometries = [] } = (value ?? {}) as { arcs?: unknown; geometries?: unknown };
  return positionsIn(named, arcs) + (Array.isArray(geometries) ? positionsIn(geometries, arcs) : 0);
};

/** An arc may stand in a million borders. */
const checkPositions = (count: number): void => {
  if (count > TREE_NODES_MAX) {
    throw new JobError(
      "output_too_large",
      `The borders come to ${count} positions, arcs counted as often as they are named; at most ${TREE_NODES_MAX} are allowed.`,
    );
  }
};

const featuresOf = (topology: Topology, name: string): Feature[] => {
  const object: GeometryObject<GeoJsonProperties> | undefined = topology.objects[name];
  try {
    const made: Feature | FeatureCollection | undefined = object && featureIn(topology, object);
    const features = made === undefined ? [] : made.type === "FeatureCollection" ? made.features : [made];
    for (const { geometry } of features) {
      checkedGeometry(geometry);
    }
    return features;
  } catch (cause) {
    if (cause instanceof JobError) {
      throw cause;
    }
    // An arc that is not there.
    throw new JobError("source_corrupt", "The TopoJSON refers to arcs that it does not have.", { cause });
  }
};
