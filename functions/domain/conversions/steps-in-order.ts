import type { RouteStep } from "./plan.ts";

/** @returns all steps in the order in which they run: those of each file before the step that merges them */
export const stepsInOrder = (
  steps: readonly RouteStep[],
  further: readonly { readonly steps?: readonly RouteStep[] }[] = [],
): readonly RouteStep[] => {
  const merge = Math.max(
    0,
    steps.findIndex(({ merges }) => merges === true),
  );
  return [...steps.slice(0, merge), ...further.flatMap((file) => file.steps ?? []), ...steps.slice(merge)];
};
