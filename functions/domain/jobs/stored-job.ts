import { currentName, currentOptions, formerNames } from "../conversions/former-names.ts";
import type { LaneId } from "../conversions/lanes.ts";
import type { OptionName, Options } from "../conversions/options.ts";
import type { RouteStep } from "../conversions/plan.ts";
import type { Job } from "./job.ts";

/** A job of version 0.1 has the lane of a helper engine under another name: jobs may be queued during an update. */
type FormerJob = Job & { readonly ocrLane?: LaneId };

/** @returns the job as stored, with the current names of its options, choices, warnings and attributes */
export const storedJob = ({ ocrLane, ...job }: FormerJob): Job => ({
  ...(ocrLane && { helperLane: ocrLane }),
  ...job,
  // The options were validated when the job was accepted; only their names differ.
  options: currentOptions(job.options) as Options,
  steps: job.steps.map(currentStep),
  ...(job.further && {
    further: job.further.map((input) => (input.steps ? { ...input, steps: input.steps.map(currentStep) } : input)),
  }),
  ...(job.warnings && {
    warnings: job.warnings.map(({ code, detail }) => ({ code: currentName(formerNames.warnings, code), detail })),
  }),
});

const currentStep = (step: RouteStep): RouteStep => ({
  ...step,
  options: step.options.map((name) => currentName(formerNames.options, name) as OptionName),
});
