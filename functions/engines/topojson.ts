import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Feature, FeatureCollection, GeoJsonProperties } from "geojson";
import { feature as featureIn } from "topojson-client";
import { topology as topologyOf } from "topojson-server";
import type { GeometryObject, Topology } from "topojson-specification";
import { JobError } from "../domain/errors.ts";
import type { Engine, EngineResult, EngineTask, Part } from "./engine.ts";
import { jsonOf, parseJson, readFeatures, readMap, writeFeatures } from "./io/geojson.ts";

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

const featuresOf = (topology: Topology, name: string): Feature[] => {
  const object: GeometryObject<GeoJsonProperties> | undefined = topology.objects[name];
  try {
    const made: Feature | FeatureCollection | undefined = object && featureIn(topology, object);
    return made === undefined ? [] : made.type === "FeatureCollection" ? made.features : [made];
  } catch (cause) {
    // An arc that is not there.
    throw new JobError("source_corrupt", "The TopoJSON refers to arcs that it does not have.", { cause });
  }
};
