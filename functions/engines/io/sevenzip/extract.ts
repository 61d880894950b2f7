import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ARCHIVE_ENTRIES_MAX } from "../../../domain/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { type Budget, unsafe } from "../archive/budget.ts";
import { type DiskItem, diskOf } from "./disk.ts";
import { sevenZipError } from "./errors.ts";
import { GAVE_UP, linesKept, type SevenZip, sevenZip } from "./run.ts";

export interface Extraction {
  readonly input: string;
  /** What 7-Zip calls the format; it then tries no other. Undefined lets it look, which opens a wrapping too. */
  readonly type: string | undefined;
  /** What we call it, for errors. */
  readonly name: string;
  /** A folder of the step's own for what is unpacked. */
  readonly folder: string;
  readonly budget: Budget;
  readonly password?: string | undefined;
}

export interface Extracted {
  /** In the order of the archive; files lie in the folder under names of ours. */
  readonly items: readonly DiskItem[];
  /** Whether 7-Zip made other names of some, because they led out or stood there twice. */
  readonly renamed: boolean;
  /** Whether it left out links, because they led out. */
  readonly unlinked: boolean;
}

/** No password is likely to be this one; without any, 7-Zip would ask. */
const NO_PASSWORD = "\u0001";

/**
 * Unpacks an archive with 7-Zip.
 *
 * @throws JobError `source_corrupt`, `password_required`, `unsupported_feature`, `archive_unsafe`
 */
export const extract = async (extraction: Extraction): Promise<Extracted> => {
  const { input, type, name, folder, budget, password = NO_PASSWORD } = extraction;
  const { size } = await stat(input);
  const program = await sevenZip();
  const stem = join(folder, `unpacked-${process.hrtime.bigint()}`);
  let files = 0;
  const fresh = (): string => {
    budget.entry();
    files += 1;
    return `${stem}-${files}`;
  };
  const target = diskOf({ fs: program.fs, fresh, grown: budget.bytes });
  const held = { path: "archive", file: input, bytes: size };
  const source = diskOf({ fs: program.fs, fresh: () => "", grown: () => {}, holds: [held] });
  program.place({ "/in": source, "/out": target }, "/out");
  const common = [...(type === undefined ? [] : [`-t${type}`]), `-p${password}`, "-bd", "-sccUTF-8", "/in/archive"];
  try {
    const listed = listedNames(program, common, name);
    const said = linesKept();
    const linked: (readonly [path: string, target: string])[] = [];
    const code = program.run(["x", "-y", "-aou", ...common], (line) => {
      const [, path, to] = HARD_LINK.exec(line) ?? [];
      if (path !== undefined && to !== undefined) {
        linked.push([path, to]);
        budget.entry();
      } else {
        said.hear(line);
      }
    });
    const error = code === 0 ? undefined : sevenZipError(said.lines(), { name, harmless: linked.length > 0 });
    if (error !== undefined) {
      throw error;
    }
    const items = withLinked(target.items(), linked, budget);
    const there = new Set(items.map(({ path }) => path));
    const files = listed.filter(({ link }) => !link);
    return {
      items,
      renamed: files.some(({ path }) => !there.has(path)) || new Set(files.map(({ path }) => path)).size < files.length,
      unlinked: listed.some(({ link, path }) => link && !there.has(path)),
    };
  } finally {
    source.close();
    target.close();
  }
};

/**
 * A second name of a file, which this build of 7-Zip cannot make: the system that it is compiled for has none. It says
 * so, and of which file it is.
 */
const HARD_LINK = /^ERROR: Cannot create hard link : [^:]* : [^:]* : (?:\.\/)?(.*?) : (?:\.\/)?(.*)$/;

/** @returns the items, and beside them each second name as a file with the same content */
const withLinked = (
  items: readonly DiskItem[],
  linked: readonly (readonly [path: string, target: string])[],
  budget: Budget,
): DiskItem[] => {
  const files = new Map(items.filter(({ kind }) => kind === "file").map((item) => [item.path, item]));
  const more = linked.flatMap(([path, to]) => {
    const file = files.get(to);
    budget.bytes(file?.bytes ?? 0);
    return file === undefined ? [] : [{ ...file, path }];
  });
  return [...items, ...more];
};

/** What a listing says of an entry. */
interface Listed {
  readonly path: string;
  readonly link: boolean;
}

const NAME = "Path = ";
const LINK = /^(?:Attributes|Mode) = .*\bl[-rwxst]{9}$|^(?:Symbolic|Hard) Link = ./i;

/** @returns the names as the archive has them; none of one that cannot be read, which unpacking will tell */
const listedNames = (program: SevenZip, common: readonly string[], name: string): Listed[] => {
  const entries: Listed[] = [];
  const code = program.run(["l", "-slt", "-ba", ...common], (line) => {
    if (line.startsWith(NAME)) {
      entries.push({ path: line.slice(NAME.length), link: false });
    }
    if (LINK.test(line)) {
      entries.push({ path: entries.pop()?.path ?? "", link: true });
    }
    if (entries.length > ARCHIVE_ENTRIES_MAX) {
      throw unsafe(`holds over ${ARCHIVE_ENTRIES_MAX} entries, which is the most allowed`);
    }
  });
  if (code === GAVE_UP) {
    throw new JobError("source_corrupt", `The ${name} is damaged or incomplete.`);
  }
  return entries;
};
