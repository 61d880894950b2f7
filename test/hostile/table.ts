import { lanes } from "../../functions/domain/conversions/lanes.ts";
import type { HostileReport, Outcome } from "./run.ts";

/** The report of a run as text. */

/** Seconds after the limit of the lane within which a process, and its job, is ended. */
const SECONDS_TO_END = 10;

/** @returns the conversions that exceeded the time limit of their lane */
export const hangsOf = ({ outcomes }: Pick<HostileReport, "outcomes">): Outcome[] =>
  outcomes.filter(
    ({ lane, seconds }) => lane !== undefined && seconds > lanes[lane].conversionSecondsMax + SECONDS_TO_END,
  );

/**
 * @returns the report as a table: per family the files, outcomes, and slowest time; then the numbers that must be zero
 */
export const tableOf = (report: HostileReport): string => {
  const { outcomes, peaks, requests, strays, leaks, alive } = report;
  const rows = [...Map.groupBy(outcomes, ({ family }) => family)].map(([family, all]) => {
    const ends = [...Map.groupBy(all, ({ ended }) => ended)].map(([ended, some]) => `${ended} ${some.length}`);
    const slowest = Math.max(...all.map(({ seconds }) => seconds || 0));
    return `${family.padEnd(36)} ${String(all.length).padStart(5)} ${slowest.toFixed(1).padStart(7)} s  ${ends.toSorted().join(", ")}`;
  });
  const memory = [...peaks].map(([lane, { bytes, during }]) => {
    const most = lanes[lane].conversionBytesMax;
    const held = `at most ${Math.round(bytes / 1e6)} MB of ${Math.round(most / 1e6)} MB in a process group`;
    return `lane ${lane}: ${held}, during ${during.join("; ")}`;
  });
  const nothing = [
    `conversions: ${outcomes.length}, with a wrong outcome: ${outcomes.filter(({ sound }) => !sound).length}`,
    `service crashes: ${alive ? 0 : 1}, conversions over the time limit of their lane: ${hangsOf(report).length}`,
    `outgoing requests: ${requests.length}, files outside the folder: ${strays.length}, leaks: ${leaks.length}`,
  ];
  return [`${"family".padEnd(36)}  runs  slowest  outcomes`, ...rows, "", ...memory, ...nothing].join("\n");
};
