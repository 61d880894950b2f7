import { existsSync } from "node:fs";
import { join } from "node:path";
import { extensionOf, type FormatId, formatOf } from "../../../functions/domain/formats/formats.ts";

/** @returns the path of a fixture */
export const fixture = (name: string): string => {
  const path = join(import.meta.dirname, "../../fixtures", name);
  if (!existsSync(path)) {
    throw new Error(`Missing fixture ${name}: add it to test/fixtures.`);
  }
  return path;
};

/**
 * @returns the path of the pair's fixture: `sample-<to>.<extension>` (or with the family of `to`) if it exists, because
 * the pair accepts only files made for it, else the format's sample
 */
export const sampleFor = (from: FormatId, to: FormatId): string => {
  const own = [to, formatOf(to).family].map((made) =>
    join(import.meta.dirname, "../../fixtures", `sample-${made}.${extensionOf(from)}`),
  );
  return own.find(existsSync) ?? sampleOf(from);
};

/** @returns the path of the format's sample: the picture of `picture.ts` */
export const sampleOf = (format: FormatId): string => fixture(`sample.${extensionOf(format)}`);
