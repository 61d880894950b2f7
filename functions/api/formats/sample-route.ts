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
