import { engineIds, engineOf } from "../../functions/domain/conversions/engines.ts";
import { optionsJsonSchema } from "../../functions/domain/conversions/options-json.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import { formatOf } from "../../functions/domain/formats/formats.ts";
import { type FormatPair, usualTargets } from "../../functions/domain/formats/usual-targets.ts";
import { type OptionRow, optionRows } from "../pages/formats/option-rows.ts";

/** What the page of a conversion says, from the tables of the service. */
export interface PairFacts {
  readonly source: FormatName;
  readonly target: FormatName;
  readonly fidelity: "content_only" | "lossless" | "lossy";
  /** What the source can contain and the result loses. */
  readonly drops: readonly string[];
  readonly options: readonly OptionRow[];
  readonly merges: boolean;
  readonly bytesMax: number;
  /** Other usual conversions of the source. */
  readonly others: readonly FormatPair[];
}

export interface FormatName {
  readonly id: string;
  /** Such as `JPG`. */
  readonly short: string;
  /** Such as `JPEG`. */
  readonly name: string;
}

/** @returns a function that returns the facts of a usual conversion, for a service with all engines but optional ones */
export const pairFacts = (): ((pair: FormatPair) => PairFacts) => {
  const routes = planRoutes(new Set(engineIds.filter((id) => !engineOf(id).optional)));
  return ([source, target]) => {
    const route = routes.find(source, target);
    if (route === undefined) {
      throw new Error(`There is no conversion from ${source} to ${target}.`);
    }
    return {
      source: nameOf(source),
      target: nameOf(target),
      fidelity: route.fidelity,
      drops: route.drops,
      options: optionRows(optionsJsonSchema(routes.optionsOf(source, target))),
      merges: route.merges,
      bytesMax: route.inputBytesMax,
      others: usualTargets(source)
        .filter((other) => other !== target)
        .map((other): FormatPair => [source, other]),
    };
  };
};

/** @returns the name by which people search for a format */
export const nameOf = (id: FormatPair[0]): FormatName => {
  const { name, extensions } = formatOf(id);
  return { id, short: (extensions[0] ?? id).toUpperCase(), name };
};
