import { existsSync } from "node:fs";
import { join } from "node:path";
import { extensionOf, type FormatId } from "../../../functions/domain/formats.ts";

/** @returns the path of a fixture */
export const fixture = (name: string): string => {
  const path = join(import.meta.dirname, "../../fixtures", name);
  if (!existsSync(path)) {
    throw new Error(`There is no fixture ${name}: add one to test/fixtures.`);
  }
  return path;
};

/** @returns the path of the format's sample: the picture of `picture.ts` */
export const sampleOf = (format: FormatId): string => fixture(`sample.${extensionOf(format)}`);
