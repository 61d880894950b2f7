import type { SupportedOptions } from "../../domain/conversions/option-rules.ts";
import type { Route } from "../../domain/conversions/plan.ts";

/** @returns the route of the examples in the OpenAPI document */
export const sampleRoute = (steps: Route["steps"]): Route => ({
  from: "heic",
  to: "jpg",
  steps,
  fidelity: "lossy",
  drops: ["frames"],
  options: ["quality"],
  lane: "fast",
  inputBytesMax: 500_000_000,
  merges: false,
});

/** The options of that conversion, without the others that it has. */
export const sampleOptions: SupportedOptions = { options: ["quality"], rules: { quality: { default: 80 } } };
