import type { TestProject } from "vitest/node";
import { IS_COMPLETE } from "../support/run/complete.ts";
import { selection } from "./selection.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The pairs whose contract this run tests, as `from to`. */
    readonly contractPairs: readonly string[];
    /** Test files that this run omits, because the change does not affect them. */
    readonly omittedTests: readonly string[];
  }
}

/** Pairs as `png jpg,csv json`: only these, which `.ci/run` uses for pairs whose checks were skipped before. */
const { ANYFORM_PAIRS } = process.env;

/** Vitest calls it before a run. */
export const setup = (project: TestProject): void => {
  const named = ANYFORM_PAIRS?.split(",").filter((pair) => pair !== "");
  const { pairs, line } =
    named === undefined
      ? selection(IS_COMPLETE)
      : { pairs: named, line: `Contract pairs: the ${named.length} of ANYFORM_PAIRS.` };
  project.provide("contractPairs", pairs);
  console.log(line);
  const omitted = project.getProvidedContext().omittedTests;
  if (omitted.length > 0) {
    console.log(`Test files: ${omitted.length} are not affected. All of them: npm run test:all.`);
  }
};
