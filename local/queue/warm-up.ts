import type { RouteStep } from "../../functions/domain/conversions/plan.ts";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import type { ConverterPool } from "../../functions/engines/core/run.ts";

/** Converters that are started with the service; further ones start when they are needed, since each takes 0.1 GB. */
export const WARM_CONVERTERS_MAX = 4;

/** Conversions after which V8 has compiled what a small conversion uses. */
const CONVERSIONS = 20;
const CONVERSION_MS_MAX = 10_000;

/** The most common conversions of small images. */
const PAIRS: readonly (readonly [FormatId, FormatId])[] = [
  ["png", "jpg"],
  ["png", "webp"],
];

/**
 * Starts converters and converts an image in each, so that the first client does not wait for a process to start, load
 * its engine and compile it. Ends when a conversion fails; the first client gets the error.
 */
export const warmUp = async ({ size, runBytes }: Pick<ConverterPool, "runBytes" | "size">): Promise<void> => {
  const one = async (): Promise<void> => {
    for (let done = 0; done < CONVERSIONS; done += 1) {
      for (const [from, to] of PAIRS) {
        const step: RouteStep = { engine: "sharp", from, to, options: [] };
        await runBytes({ step, options: {}, input: [IMAGE] }, { timeoutMs: CONVERSION_MS_MAX });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(WARM_CONVERTERS_MAX, size) }, one));
};

/** 16 × 16 pixels. */
const IMAGE = Buffer.from(
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
