import { lanes } from "../../functions/domain/conversions/lanes.ts";
import type { HostileReport, Outcome } from "./run.ts";

/** The report of a run as people read it. */

/** Seconds beyond the limit of the lane in which a process is ended, and its job with it. */
const SECONDS_TO_END = 10;

/** @returns the conversions that went on after their lane's time */
export const hangsOf = ({ outcomes }: Pick<HostileReport, "outcomes">): Outcome[] =>
  outcomes.filter(
    ({ lane, seconds }) => lane !== undefined && seconds > lanes[lane].conversionSecondsMax + SECONDS_TO_END,
  );

/** @returns the report as a table: of each family the files, how they ended, and the slowest; then what must be nothing */
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
    `conversions: ${outcomes.length}, of which ended otherwise than they may: ${outcomes.filter(({ sound }) => !sound).length}`,
    `crashes of the service: ${alive ? 0 : 1}, conversions beyond the time of their lane: ${hangsOf(report).length}`,
    `requests out: ${requests.length}, files outside of the folder: ${strays.length}, leaks: ${leaks.length}`,
  ];
  return [`${"family".padEnd(36)}  runs  slowest  how they ended`, ...rows, "", ...memory, ...nothing].join("\n");
};
