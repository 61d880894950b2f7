import type { StorageTester } from "../domain/exports/storage.ts";
import { newId, type RandomBytes } from "../domain/ids.ts";
import { STORAGE_TEST_MS_MAX } from "../domain/limits.ts";
import { reachable } from "./addresses.ts";
import { deleteObject, type PutAnswer, putFile } from "./put-file.ts";

export interface TesterSettings {
  /** Private addresses and networks that storages may have. */
  readonly importAllowed: readonly string[];
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly random: RandomBytes;
}

const CONTENT = Buffer.from("This file tests whether anyform can write here. It can be deleted.\n");

const file = {
  bytes: CONTENT.length,
  mediaType: "text/plain",
  filename: "test.txt",
  content: async () =>
    (async function* () {
      yield CONTENT;
    })(),
};

/** @returns a function that writes a small file to a storage, and deletes it */
export const storageTester =
  ({ importAllowed, clock, random }: TesterSettings): StorageTester =>
  async (storage) => {
    const target = { ...storage, key: `anyform-test-${newId("upload", clock(), random)}.txt` };
    const connection = () => ({
      reaches: reachable(importAllowed),
      signal: AbortSignal.timeout(STORAGE_TEST_MS_MAX),
      now: clock(),
    });
    return (
      (await errorOf(() => putFile(target, file, connection()))) ??
      (await errorOf(() => deleteObject(target, connection())))
    );
  };

const errorOf = async (request: () => Promise<PutAnswer>): Promise<string | undefined> => {
  try {
    return (await request()).error;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
