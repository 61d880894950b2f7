import { execFileSync } from "node:child_process";

/** ZIP files as 7-Zip reads them, which `npm run engines` installs. */

const BYTES_MAX = 100_000_000;

/** @returns the names in the ZIP, in its order */
export const zipNames = (zip: string): string[] =>
  [
    ...execFileSync("7zz", ["l", "-ba", "-slt", "-sccUTF-8", zip], { encoding: "utf8" }).matchAll(/^Path = (.*)$/gm),
  ].map(([, name = ""]) => name);

/** @returns the content of a file in the ZIP */
export const zipContent = (zip: string, name: string): Buffer =>
  execFileSync("7zz", ["x", "-so", zip, name], { maxBuffer: BYTES_MAX, stdio: ["ignore", "pipe", "pipe"] });

/** Extracts all files into the folder. */
export const unzip = (zip: string, folder: string): void => {
  execFileSync("7zz", ["x", "-bd", `-o${folder}`, zip], { stdio: "pipe" });
};
