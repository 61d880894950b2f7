import { newId } from "../../domain/ids.ts";

/** The time of all examples. */
export const EXAMPLE_TIME = Date.UTC(2026, 10, 20, 12);

/** Examples are deterministic: the same in every document. */
export const sampleRandom = (count: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, index) => (index * 83 + 41) % 256);

export const sampleId = (kind: Parameters<typeof newId>[0], time: number): string => newId(kind, time, sampleRandom);

export const accountId = sampleId("account", EXAMPLE_TIME);
