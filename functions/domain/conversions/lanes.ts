import {
  CONVERTER_MEMORY_BYTES_MAX,
  DOCUMENT_MEMORY_BYTES_MAX,
  FAST_INPUT_BYTES_MAX,
  MEDIA_INPUT_BYTES_MAX,
  MEDIA_MEMORY_BYTES_MAX,
} from "./conversion-limits.ts";

/** A layer of the zipped functions: a folder of `layers/`. */
export type LayerId = "pictures" | "papers" | "texts" | "tables";

/** A lane is a queue and the function that processes it. The engines of a conversion determine the lane. */
export interface Lane {
  /** Whether the function is a container image with system programs, instead of a zip with layers. */
  readonly image: boolean;
  /** The layers of the function: at most five, 250 MB unzipped with the function. */
  readonly layers: readonly LayerId[];
  /** Lanes whose engines its function includes as well: all images are the same. @default none */
  readonly includes?: readonly string[];
  /** Whether a deployment has it only if the operator turns it on. @default false */
  readonly optional?: boolean;
  /** Memory of the function in MB. 1,769 MB is one full virtual CPU. */
  readonly memoryMegabytes: number;
  /** Maximum memory of a conversion in bytes, including its programs. */
  readonly conversionBytesMax: number;
  /** Timeout of a conversion in seconds. */
  readonly conversionSecondsMax: number;
  readonly inputBytesMax: number;
}

const ZIPPED = {
  image: false,
  memoryMegabytes: 1_769,
  conversionBytesMax: CONVERTER_MEMORY_BYTES_MAX,
  conversionSecondsMax: 120,
  inputBytesMax: FAST_INPUT_BYTES_MAX,
} as const;

/** Cheapest first: a route uses the first lane that has all its engines. */
export const lanes = {
  fast: { ...ZIPPED, layers: ["pictures", "papers", "texts"] },
  data: { ...ZIPPED, layers: ["texts", "tables"] },
  documents: {
    image: true,
    layers: [],
    memoryMegabytes: 3_008,
    conversionBytesMax: DOCUMENT_MEMORY_BYTES_MAX,
    conversionSecondsMax: 300,
    inputBytesMax: FAST_INPUT_BYTES_MAX,
  },
  media: {
    image: true,
    layers: [],
    memoryMegabytes: 8_192,
    conversionBytesMax: MEDIA_MEMORY_BYTES_MAX,
    // A function ends after 900 s, which includes the transfer.
    conversionSecondsMax: 840,
    inputBytesMax: MEDIA_INPUT_BYTES_MAX,
  },
  // Web pages and scripts. Its converters have internet access, and nothing to protect.
  web: {
    image: true,
    layers: [],
    includes: ["documents"],
    optional: true,
    memoryMegabytes: 3_008,
    conversionBytesMax: DOCUMENT_MEMORY_BYTES_MAX,
    conversionSecondsMax: 240,
    inputBytesMax: FAST_INPUT_BYTES_MAX,
  },
} as const satisfies Record<string, Lane>;

export type LaneId = keyof typeof lanes;

/** The lanes whose function is a container image. */
export type ImageLaneId = { [Id in LaneId]: (typeof lanes)[Id]["image"] extends true ? Id : never }[LaneId];

export const laneIds = Object.keys(lanes) as LaneId[];

export const isLaneId = (value: unknown): value is LaneId => laneIds.some((lane) => lane === value);

/** Seconds in addition to the conversion itself, to fetch, store and finish. */
const TRANSFER_SECONDS_MAX = 60;

/** @returns maximum seconds from the claim of a job to its end: its lease and the function's timeout */
export const leaseSeconds = (lane: LaneId): number => lanes[lane].conversionSecondsMax + TRANSFER_SECONDS_MAX;

/** @returns the limits of a conversion in the lane: milliseconds, and bytes of memory */
export const conversionLimits = (lane: LaneId): { timeoutMs: number; memoryBytesMax: number } => ({
  timeoutMs: lanes[lane].conversionSecondsMax * 1_000,
  memoryBytesMax: lanes[lane].conversionBytesMax,
});
