import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FIXTURES = join(import.meta.dirname, "../fixtures");

/** @returns the beginning of each sample in the repository */
export const everySample = (bytesMax: number): Buffer[] =>
  readdirSync(FIXTURES)
    .filter((name) => name.startsWith("sample"))
    .map((name) => readFileSync(join(FIXTURES, name)).subarray(0, bytesMax));
