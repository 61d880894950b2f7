import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A public file with a known license, outside of the repository. */
export interface CorpusFile {
  /** Path in the corpus: its folder is the family. */
  readonly file: string;
  readonly path: string;
  /** The format according to the corpus; not all of them are formats of the service. */
  readonly format: string;
  readonly source: string;
  readonly license: string;
  readonly kind: "valid" | "corrupt" | "hostile" | "note";
  readonly detail: string;
}

/** Reads `MANIFEST.tsv`: file, format, source, license, kind, detail, bytes and SHA-256 of each file. */
export const corpusFiles = async (folder: string): Promise<CorpusFile[]> => {
  const [, ...lines] = (await readFile(join(folder, "MANIFEST.tsv"), "utf8")).trim().split("\n");
  return lines.map((line) => {
    const [file = "", format = "", source = "", license = "", kind = "", detail = ""] = line.split("\t");
    return { file, path: join(folder, file), format, source, license, kind: kind as CorpusFile["kind"], detail };
  });
};
