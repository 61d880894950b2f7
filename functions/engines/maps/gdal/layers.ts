import * as z from "zod/mini";
import { JobError } from "../../../domain/errors.ts";
import type { Gdal } from "./module.ts";

/** A layer: features of one kind with the same fields. */
export interface Layer {
  readonly name: string;
  readonly features: number;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  /** GDAL's name of the geometry type (`Point`, `3D Multi Polygon`); undefined without geometries. */
  readonly geometry: string | undefined;
  /** Name of the geometry column; often empty. */
  readonly geometryName: string;
  /** West, south, east, north in the layer's coordinate system; undefined without geometries. */
  readonly extent: readonly [number, number, number, number] | undefined;
  readonly hasCrs: boolean;
}

const number = z.nullish(z.number());
const description = z.object({
  layers: z.array(
    z.object({
      name: z.string(),
      featureCount: z.number(),
      fields: z.array(z.object({ name: z.string(), type: z.string() })),
      geometryFields: z.array(
        z.object({
          name: z.string(),
          type: z.string(),
          extent: z.optional(z.array(number)),
          coordinateSystem: z.nullish(z.object({ wkt: z.optional(z.string()) })),
        }),
      ),
    }),
  ),
});

/** @returns the layers of an open dataset */
export const layersOf = (gdal: Gdal, dataset: number, options: readonly string[] = []): Layer[] =>
  description.parse(gdal.describe(dataset, options)).layers.map(({ name, featureCount, fields, geometryFields }) => {
    const [geometry] = geometryFields;
    const [west, south, east, north] = geometry?.extent ?? [];
    const known = [west, south, east, north].every((value) => typeof value === "number" && Number.isFinite(value));
    return {
      name,
      features: featureCount,
      fields,
      geometry: geometry?.type,
      geometryName: geometry?.name ?? "",
      extent: known ? [west ?? 0, south ?? 0, east ?? 0, north ?? 0] : undefined,
      hasCrs: geometry?.coordinateSystem?.wkt !== undefined,
    };
  });

/**
 * @param layers one at least
 * @returns the selected layers: one by name, or all that are not empty
 * @throws JobError `unsupported_feature` when no layer has that name
 */
export const chosenLayers = (layers: readonly Layer[], name: string | undefined): Layer[] => {
  const full = layers.filter(({ features }) => features > 0);
  const chosen =
    name === undefined ? (full.length > 0 ? full : layers.slice(0, 1)) : layers.filter((layer) => layer.name === name);
  if (chosen.length === 0) {
    const names = layers
      .map((layer) => `“${layer.name}”`)
      .slice(0, 20)
      .join(", ");
    throw new JobError("unsupported_feature", `The file has no layer “${name}”. Available layers: ${names}.`);
  }
  return chosen;
};

/** Whether coordinates without a coordinate system may be degrees: none is beyond a pole or twice around the earth. */
export const looksLikeDegrees = ({ extent }: Layer): boolean =>
  extent === undefined || (extent[0] >= -360 && extent[1] >= -90 && extent[2] <= 360 && extent[3] <= 90);
