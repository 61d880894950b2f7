import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { SINGLE_PUT_BYTES_MAX } from "../../functions/domain/limits.ts";

/** A file that the load sends. */
export interface Input {
  readonly name: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}

const folder = join(import.meta.dirname, "../fixtures");
/** Bytes of a truncated file. */
const CUT_SHARE = 0.6;
/** More than one request accepts. */
const LARGE_BYTES = SINGLE_PUT_BYTES_MAX + 1_000_000;

/** @returns the file of that name: a fixture, a truncated fixture (`cut.`), a photo, or one that is sent in parts */
const bytesOf = async (name: string): Promise<Buffer> => {
  if (name.startsWith("cut.")) {
    const whole = await readFile(join(folder, name.replace("cut", "sample")));
    return whole.subarray(0, Math.floor(whole.length * CUT_SHARE));
  }
  if (name === "photo.jpg") {
    return photo();
  }
  return name === "large.jpg"
    ? Buffer.concat([await photo(), Buffer.alloc(LARGE_BYTES)])
    : readFile(join(folder, name));
};

const photo = (): Promise<Buffer> => {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  return sharp({ create: { width: 640, height: 480, channels: 3, noise, background: "#888" } })
    .jpeg()
    .toBuffer();
};

/** @returns the inputs by name, each created once */
export const makeInputs = async (names: Iterable<string>): Promise<ReadonlyMap<string, Input>> => {
  const made = new Map<string, Input>();
  for (const name of new Set(names)) {
    const bytes = await bytesOf(name);
    made.set(name, { name, bytes, sha256: createHash("sha256").update(bytes).digest("hex") });
  }
  return made;
};
