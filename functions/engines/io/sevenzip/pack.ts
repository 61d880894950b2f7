import { rename } from "node:fs/promises";
import { join } from "node:path";
import { type DiskItem, diskOf } from "./disk.ts";
import { linesKept, sevenZip } from "./run.ts";

export interface Packing {
  /** What 7-Zip calls the format. */
  readonly type: "7z" | "xz" | "bzip2";
  /** 1 to 9, as 7-Zip has it. */
  readonly level: number;
  readonly output: string;
  readonly folder: string;
  readonly items: readonly Partial<DiskItem>[];
  /** Told of the bytes that are written; what it throws ends the packing. */
  readonly grown: (bytes: number) => void;
}

/** From this level on, LZMA takes a dictionary of 64 MB and with it 1.3 GB of memory, which is all that there is. */
const LARGE_DICTIONARY_LEVEL = 8;
const DICTIONARY_MEGABYTES_MAX = 32;

/** Packs with 7-Zip; names, times and permissions are those of the items. */
export const pack = async ({ type, level, output, folder, items, grown }: Packing): Promise<void> => {
  const program = await sevenZip();
  let files = 0;
  const fresh = (): string => {
    files += 1;
    return join(folder, `packed-${files}`);
  };
  const target = diskOf({ fs: program.fs, fresh, grown });
  const source = diskOf({ fs: program.fs, fresh: () => "", grown: () => {}, holds: items });
  program.place({ "/in": source, "/out": target }, "/in");
  const said = linesKept();
  const dictionary = type !== "bzip2" && level >= LARGE_DICTIONARY_LEVEL ? [`-md=${DICTIONARY_MEGABYTES_MAX}m`] : [];
  const args = ["a", `-t${type}`, `-mx=${level}`, ...dictionary, "-mmt=1", "-bd", "-sccUTF-8", "/out/archive", "."];
  try {
    const code = program.run(args, said.hear);
    const made = target.items().find(({ path }) => path.startsWith("archive"));
    if (code !== 0 || made === undefined) {
      throw new Error(`7-Zip could not pack: code ${code}.\n${said.lines().slice(-20).join("\n")}`);
    }
    await rename(made.file, output);
  } finally {
    source.close();
    target.close();
  }
};
