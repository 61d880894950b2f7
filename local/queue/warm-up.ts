import type { FormatId } from "../../functions/domain/formats/formats.ts";
import type { BytesConversion } from "../../functions/engines/core/convert-bytes.ts";
import type { ConverterPool } from "../../functions/engines/core/run.ts";

/** Converters that are started before they are needed. Further ones start when they are, since each takes 0.1 GB. */
export const WARM_CONVERTERS_MAX = 4;

/** Conversions after which V8 has compiled what a small conversion uses. */
const CONVERSIONS = 20;
const CONVERSION_MS_MAX = 10_000;

/** The most common conversions of small images. */
const PAIRS: readonly (readonly [FormatId, FormatId])[] = [
  ["png", "jpg"],
  ["png", "webp"],
];

/** The share of converters in addition to one per core. */
const FURTHER_SHARE = 0.25;

/**
 * A converter of small images waits a fifth of the time: for its next input, which the process of the API sends after it
 * has received the result. Further converters use the processors meanwhile.
 *
 * @param slots converters of queued jobs, one per core
 * @returns how many more converters there are for small images, in one call or queued
 */
export const furtherSlotsFor = (slots: number): number => Math.ceil(slots * FURTHER_SHARE);

/** A pool whose converters have their engine loaded and compiled when they are needed. */
export interface WarmPool extends Pick<ConverterPool, "run" | "runBytes" | "size"> {
  /** Starts a converter, so that the first client does not wait for it. Resolves when its engine is loaded. */
  warmUp(): Promise<void>;
  /** Whether it converts something other than to warm up. */
  isBusy(): boolean;
}

/**
 * One converter starts with the service, the others when two conversions run at the same time: a service that converts one
 * file at a time needs the memory of one, and its first conversions do not share the processors with the start of others.
 * The `furtherSlots` start when two conversions of bytes run at the same time.
 *
 * @param onError called when a converter could not be started; the conversion that needs it starts another
 */
export const warmPool = (
  {
    run,
    runBytes,
    warm,
    size,
    furtherSlots = 0,
  }: Omit<ConverterPool, "briefly" | "stop"> & { readonly furtherSlots?: number },
  onError: (error: unknown) => void,
): WarmPool => {
  let started = 0;
  const running = { files: 0, bytes: 0 };
  const startUpTo = async (count: number): Promise<void> => {
    const starts: Promise<void>[] = [];
    for (; started < count; started += 1) {
      starts.push(warm(WARM_UP, { timeoutMs: CONVERSION_MS_MAX }).catch(onError));
    }
    await Promise.all(starts);
  };
  /** Runs the conversion after the others have begun to start, so that it waits for the first converter that is free. */
  const counted = async <T>(kind: keyof typeof running, convert: () => Promise<T>): Promise<T> => {
    running[kind] += 1;
    try {
      if (running.files + running.bytes > 1) {
        void startUpTo(Math.min(WARM_CONVERTERS_MAX, size - (running.bytes > 1 ? 0 : furtherSlots)));
      }
      return await convert();
    } finally {
      running[kind] -= 1;
    }
  };
  return {
    size,
    run: (task, limits) => counted("files", () => run(task, limits)),
    runBytes: (conversion, limits) => counted("bytes", () => runBytes(conversion, limits)),
    warmUp: () => startUpTo(1),
    isBusy: () => running.files + running.bytes > 0,
  };
};

/** A PNG of 16 × 16 pixels. */
export const IMAGE = Buffer.from(
  [
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAACXBIWXMAAAPoAAAD6AG1e1JrAAABXElEQVQoz2NgYOcTlVHWMrSw",
    "d/MNiU7KLCiva+2ZPGvhivXb9h45fenmg+fvvv5h5hKUkFfTNbF28mQICI9LzSmuauzonzZ3yepNOw8cP3f1zuNXH3/8Z+MVkVbS",
    "NDC3c/UJjkrMyC+rbemeNJNhwfJ1W/ccPnXxxv1nb7/8ZuIUEJdT1TG2cvTwD4tNyS6qbGjvmzpn8aqNO/YfO3vl9qOXDB++/2Pl",
    "EZZS1NA3s3XxDopMSM8rrWnumjhj/rK1W3YfOnnh+r2nbz7/YuTgF5NV0TayZHBw9wuNSc4qrKhv650ye9HKDdv3HT1z+dbDF++/",
    "/WXhFpJUUNcztXH2CoyIT8stqW7qZJgwfd7SNZt3HTxx/trdJ68//SQUCAzooUAoEBjQQ4FQIDCghwKhQGBADwVCgcCAHgqEAoGB",
    "UFJADwQGQkkBPRAYCCUF9EBgIJQU0AOBgVBSQA8EALqQfpDwHGpSAAAAAElFTkSuQmCC",
  ].join(""),
  "base64",
);

const WARM_UP: readonly BytesConversion[] = Array.from({ length: CONVERSIONS }, () => PAIRS)
  .flat()
  .map(([from, to]) => ({ step: { engine: "sharp", from, to, options: [] }, options: {}, input: [IMAGE] }));
