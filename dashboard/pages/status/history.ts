import type { Schemas } from "../../api.ts";

/** The history of the engines as bars, one per day. */

export type EngineStatus = Schemas["ServiceStatus"]["engines"][number];

export type DayLevel = "bad" | "good" | "none" | "warning";

export interface DayBar {
  readonly date: string;
  readonly level: DayLevel;
  /** Undefined on days without conversions. */
  readonly success: number | undefined;
  readonly medianMs: number | null;
}

const DAY_MS = 86_400_000;

/** From these shares of success on, a day is good, or at least not bad. */
const GOOD_MIN = 0.995;
const WARNING_MIN = 0.95;

export const levelOf = (success: number | undefined): DayLevel => {
  if (success === undefined) {
    return "none";
  }
  return success >= GOOD_MIN ? "good" : success >= WARNING_MIN ? "warning" : "bad";
};

/** @returns a bar for each day from the first to the last, also for those without conversions */
export const dayBars = ({ days }: EngineStatus, from: string, to: string): readonly DayBar[] => {
  const byDate = new Map(days.map((day) => [day.date, day]));
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10);
    const day = byDate.get(date);
    return { date, success: day?.success, medianMs: day?.median_ms ?? null, level: levelOf(day?.success) };
  });
};
