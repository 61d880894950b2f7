import type { LaneId } from "./lanes.ts";

/** An engine as far as the service plans with it; `engines/index.ts` has its code. */
export interface EngineRow {
  /** The lanes whose function holds it. */
  readonly lanes: readonly LaneId[];
  /** The npm packages that it needs; the version of the first is its version. None: Node has all that it needs. */
  readonly packages: readonly string[];
  /** A program of the system that it starts, where it needs one. */
  readonly program?: string;
}

/** A new engine is a row here, a file in `engines/` and its line in `engines/index.ts`. */
export const engineTable = {
  sharp: { lanes: ["fast"], packages: ["sharp"] },
  magick: { lanes: ["fast"], packages: ["@imagemagick/magick-wasm"] },
} as const satisfies Record<string, EngineRow>;

export type EngineId = keyof typeof engineTable;

export const engineIds = Object.keys(engineTable) as EngineId[];

/** @returns the row of an engine */
export const engineOf = (id: EngineId): EngineRow => engineTable[id];
