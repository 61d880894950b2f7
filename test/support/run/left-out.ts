import { appendFileSync } from "node:fs";

/** A check that a test skipped because a program for it is not installed. */
export interface LeftOut {
  /** The program or Python module. */
  readonly tool: string;
  /** Path of the test file. */
  readonly file: string;
  /** Name of the test; empty if all tests of a group are skipped. */
  readonly test: string;
}

/** The suites of hostile files also run outside of Vitest, where importing it would throw. */
const expectation = process.env.VITEST === undefined ? undefined : (await import("vitest")).expect;

/** Path of the file that collects skipped checks, one JSON value per line. `left-out-report.ts` sets it for a run. */
export const LEFT_OUT_FILE = "ANYFORM_LEFT_OUT";

/**
 * Records that the running test skips a check, for the last line of the run.
 *
 * @throws if everything is required (`ANYFORM_REQUIRE_ALL`)
 */
export const leaveOut = (tool: string): void => {
  if (process.env.ANYFORM_REQUIRE_ALL) {
    throw new Error(`${tool} is not installed. It is required to check test results.`);
  }
  const { testPath = "", currentTestName = "" } = expectation?.getState() ?? {};
  const path = process.env[LEFT_OUT_FILE];
  if (path !== undefined) {
    const left: LeftOut = { tool, file: testPath, test: currentTestName };
    appendFileSync(path, `${JSON.stringify(left)}\n`);
  }
};
