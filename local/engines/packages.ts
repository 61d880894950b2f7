import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The package names of a program or font per package manager; undefined if there is no package. */
export interface PackageRow {
  readonly apt: string | undefined;
  readonly brew: string | undefined;
}

/** @returns the rows of the list that this command, the container image and CI share */
export const packageList = (): readonly PackageRow[] =>
  readPackages(readFileSync(join(import.meta.dirname, "../../layers/image/packages.txt"), "utf8"));

/** @param text lines of `apt brew comment`, with a dash for none; lines that start with # are comments */
export const readPackages = (text: string): readonly PackageRow[] =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [apt, brew] = line.split(/\s+/).map((name) => (name === "-" ? undefined : name));
      return { apt, brew };
    });
