import type { Warning } from "../../../domain/warning.ts";

/** An ffmpeg option for one output stream, without its dash, and its value. */
export type Setting = readonly [name: string, value: string];

/** Encoding of one output stream. */
export interface Encoding {
  readonly settings: readonly Setting[];
  readonly filters: readonly string[];
  readonly warnings: readonly Warning[];
}

export const COPY: Encoding = { settings: [["c", "copy"]], filters: [], warnings: [] };

/** @param stream of the output: `v:0`, `a:1` */
export const argumentsFor = ({ settings, filters }: Encoding, stream: string): string[] => [
  ...settings.flatMap(([name, value]) => [`-${name}:${stream}`, value]),
  ...(filters.length === 0 ? [] : [`-filter:${stream}`, filters.join(",")]),
];
