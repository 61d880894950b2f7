import { JobError } from "../../../domain/errors.ts";

/** Frame and tick rates from the root element (TTML2, 7.2). */
export interface Clock {
  readonly frameRate: number;
  readonly subFrames: number;
  readonly tickRate: number;
}

/** @returns the timing parameters from the attributes of the root, with any namespace prefix */
export const clockRules = (attributes: ReadonlyMap<string, string>): Clock => {
  const value = (name: string): string | undefined =>
    [...attributes].find(([key]) => key.slice(key.indexOf(":") + 1) === name)?.[1];
  const [numerator = 1, denominator = 1] = (value("frameRateMultiplier") ?? "1 1").split(/[\s:]+/).map(Number);
  const frameRate = (Number(value("frameRate")) || 30) * (numerator / denominator || 1);
  const subFrames = Number(value("subFrameRate")) || 1;
  const usual = value("frameRate") === undefined ? 1 : frameRate * subFrames;
  return { frameRate, subFrames, tickRate: Number(value("tickRate")) || usual };
};

/** Some programs write a comma as the decimal separator. */
const CLOCK_TIME = /^(\d+):(\d{2}):(\d{2})(?:[.,](\d+)|:(\d{2,})(?:\.(\d+))?)?$/;
const OFFSET_TIME = /^(\d+(?:\.\d+)?)(h|m|s|ms|f|t)$/;

/**
 * @returns the milliseconds of a time expression (TTML2, 12.3.1), undefined if there is none
 * @throws JobError `source_corrupt` for an invalid time expression
 */
export const timeMs = (text: string | undefined, clock: Clock): number | undefined => {
  if (text === undefined) {
    return undefined;
  }
  const [, amount, unit = ""] = OFFSET_TIME.exec(text.trim()) ?? [];
  if (amount !== undefined) {
    return Number(amount) * unitMs(unit, clock);
  }
  const [found, hours, minutes, seconds, fraction = "0", frames = "0", sub = "0"] = CLOCK_TIME.exec(text.trim()) ?? [];
  if (found === undefined) {
    throw new JobError("source_corrupt", `Invalid TTML time expression: ${text.slice(0, 50)}`);
  }
  const base = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000;
  const inFrames = (Number(frames) + Number(sub) / clock.subFrames) * unitMs("f", clock);
  return base + Number(`0.${fraction}`) * 1_000 + inFrames;
};

const unitMs = (unit: string, { frameRate, tickRate }: Clock): number =>
  ({ h: 3_600_000, m: 60_000, s: 1_000, ms: 1, f: 1_000 / frameRate, t: 1_000 / tickRate })[unit] ?? 1;
