import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Disk } from "./disk.ts";
import type { EmscriptenFs } from "./emscripten.ts";

/** 7-Zip as WebAssembly, as far as we use it. */
export interface SevenZip {
  readonly fs: EmscriptenFs;
  /** Gives it disks by their paths, and a folder to work in. */
  place(disks: Readonly<Record<string, Disk>>, folder: string): void;
  /**
   * @returns its exit code: 0 is success, 1 a warning, {@link GAVE_UP} when it ended by an exception of C++, which this
   * build catches nowhere; the instance is then of no more use
   */
  run(args: readonly string[], hear: (line: string) => void): number;
}

/** No exit code of 7-Zip, whose last is 255. */
export const GAVE_UP = 256;

type Factory = (settings: object) => Promise<{ readonly FS: EmscriptenFs; callMain(args: string[]): number }>;

/** Read once; an instance is new for each archive, so its memory goes with it. */
let reading: Promise<Buffer> | undefined;

/** @returns a new 7-Zip, which sees no file of this machine */
export const sevenZip = async (): Promise<SevenZip> => {
  // On Lambda the package may lie in a layer, which only `NODE_PATH` tells; a resolver of this kind follows it.
  const require = createRequire(import.meta.url);
  reading ??= readFile(require.resolve("7z-wasm/7zz.wasm"));
  const wasmBinary = await reading;
  const factory: Factory = require("7z-wasm");
  let listener = (_: string): void => {};
  const program = await factory({
    print: (line: string) => listener(line),
    printErr: (line: string) => listener(line),
    // Nobody answers its questions.
    stdin: () => null,
    wasmBinary,
  });
  return {
    fs: program.FS,
    place: (disks, folder) => {
      for (const [path, { type }] of Object.entries(disks)) {
        program.FS.mkdir(path);
        program.FS.mount(type, {}, path);
      }
      program.FS.chdir(folder);
    },
    run: (args, hear) => {
      listener = hear;
      try {
        return program.callMain([...args]);
      } catch (error) {
        // Such an exception is thrown as its address.
        if (typeof error === "number") {
          return GAVE_UP;
        }
        throw error;
      } finally {
        // It sets that of this process, as if it were the program.
        process.exitCode = undefined;
      }
    },
  };
};

const LINES_MAX = 4_000;

/** Keeps what a program writes: the beginning, and of what is too much the end. */
export const linesKept = () => {
  const first: string[] = [];
  const last: string[] = [];
  return {
    hear: (line: string): void => {
      const list = first.length < LINES_MAX ? first : last;
      list.push(line);
      if (last.length > 2 * LINES_MAX) {
        last.splice(0, LINES_MAX);
      }
    },
    lines: (): readonly string[] => [...first, ...last],
  };
};
