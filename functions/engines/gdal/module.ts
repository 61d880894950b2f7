import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** GDAL as WebAssembly, as far as it is used here. Paths are those of its own file system: it sees no other. */
export interface Gdal {
  /** Shows it one folder of the disk as `/job` while `use` runs, and gives back what it wrote to its error stream. */
  inFolder<T>(folder: string, use: () => T): T;
  /**
   * Opens a file for reading with one of these drivers, whatever others may think of it.
   * @returns a handle, or 0 when it cannot
   */
  open(path: string, drivers: readonly string[], options?: readonly string[]): number;
  close(dataset: number): void;
  /** @returns what `ogrinfo -json` says: layers, fields, counts */
  describe(dataset: number, options?: readonly string[]): unknown;
  /**
   * Writes a dataset as `ogr2ogr` does.
   * @returns a handle of what was written, which is on disk when it is closed; 0 when it cannot
   */
  translate(dataset: number, output: string, options: readonly string[]): number;
  /** @returns what it has said since the last time, warnings and errors, each in a line */
  said(): string[];
}

/** What Emscripten makes of GDAL. The package's own front knows one folder per process; this is the module behind it. */
interface Module {
  ccall(name: string, returns: "number" | null, types: readonly ("number" | "string")[], values: unknown[]): number;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, pointer: number, bytes: number): void;
  UTF8ToString(pointer: number): string;
  setValue(pointer: number, value: number, type: "*"): void;
  readonly FS: {
    mkdir(path: string): void;
    mount(type: unknown, options: { root: string }, path: string): void;
    unmount(path: string): void;
  };
  readonly NODEFS: unknown;
}

type MakeModule = (settings: {
  locateFile(name: string): string;
  print(line: string): void;
  printErr(line: string): void;
  preRun: readonly ((module: { ENV: Record<string, string> }) => void)[];
}) => Promise<Module>;

/** Loading takes 250 ms and 60 MB, so it waits for the first file, and a process does it once. */
let loading: Promise<Gdal> | undefined;
export const loadGdal = (): Promise<Gdal> => {
  loading ??= initialize();
  return loading;
};

const SETTINGS = {
  PROJ_LIB: "/usr/share/proj",
  GDAL_DATA: "/usr/share/gdal",
  // A shapefile without its index is whole all the same.
  SHAPE_RESTORE_SHX: "YES",
  // References from one file to others are not followed.
  GML_SKIP_RESOLVE_ELEMS: "ALL",
  GML_DOWNLOAD_SCHEMA: "NO",
  // Without its schema a GML has texts; taken for numbers, codes would lose their leading zeros.
  GML_FIELDTYPES: "ALWAYS_STRING",
  // By columns at once, GDAL 3.8.4 loses the geometries of a FlatGeobuf in which one is missing.
  OGR2OGR_USE_ARROW_API: "NO",
  // Two million lines of warnings help nobody.
  CPL_MAX_ERROR_REPORTS: "200",
};

const LINES_MAX = 1_000;

const initialize = async (): Promise<Gdal> => {
  // On Lambda the package lies in a layer, which only `NODE_PATH` tells; a resolver of this kind follows it.
  const require = createRequire(import.meta.url);
  const script = require.resolve("gdal3.js/build/package/gdal3WebAssembly.js");
  const make: MakeModule = require(script);
  const lines: string[] = [];
  const module = await make({
    locateFile: (name) => join(dirname(script), "../../dist/package", name),
    print: () => {},
    printErr: (line) => void (lines.length < LINES_MAX && lines.push(line)),
    preRun: [({ ENV }) => Object.assign(ENV, SETTINGS)],
  });
  module.ccall("GDALAllRegister", null, [], []);
  module.FS.mkdir("/job");
  return { ...calls(module), said: () => lines.splice(0) };
};

const VECTOR_VERBOSE = 0x04 | 0x40;

const calls = (module: Module): Omit<Gdal, "said"> => ({
  inFolder: (folder, use) => {
    module.FS.mount(module.NODEFS, { root: folder }, "/job");
    try {
      return use();
    } finally {
      module.FS.unmount("/job");
    }
  },
  open: (path, drivers, options = []) =>
    withLists(module, [drivers, options], ([driverList, optionList]) =>
      module.ccall(
        "GDALOpenEx",
        "number",
        ["string", "number", "number", "number", "number"],
        [path, VECTOR_VERBOSE, driverList, optionList, 0],
      ),
    ),
  close: (dataset) => void module.ccall("GDALClose", null, ["number"], [dataset]),
  describe: (dataset, options = []) => {
    const pointer = withOptions(module, "GDALVectorInfo", ["-json", "-al", "-so", ...options], (settings) =>
      module.ccall("GDALVectorInfo", "number", ["number", "number"], [dataset, settings]),
    );
    const text = pointer === 0 ? "null" : module.UTF8ToString(pointer);
    module.ccall("free", null, ["number"], [pointer]);
    return JSON.parse(text);
  },
  translate: (dataset, output, options) => {
    const list = module.ccall("malloc", "number", ["number"], [4]);
    module.setValue(list, dataset, "*");
    const made = withOptions(module, "GDALVectorTranslate", options, (settings) =>
      settings === 0
        ? 0
        : module.ccall(
            "GDALVectorTranslate",
            "number",
            ["string", "number", "number", "number", "number", "number"],
            [output, 0, 1, list, settings, 0],
          ),
    );
    module.ccall("free", null, ["number"], [list]);
    return made;
  },
});

const withOptions = (
  module: Module,
  call: "GDALVectorInfo" | "GDALVectorTranslate",
  options: readonly string[],
  use: (settings: number) => number,
): number =>
  withLists(module, [options], ([list]) => {
    const settings = module.ccall(`${call}OptionsNew`, "number", ["number", "number"], [list, 0]);
    const result = use(settings);
    module.ccall(`${call}OptionsFree`, null, ["number"], [settings]);
    return result;
  });

/** @returns what comes of lists of strings as C has them: pointers, and a null at the end */
const withLists = <T>(module: Module, lists: readonly (readonly string[])[], use: (pointers: number[]) => T): T => {
  const taken: number[] = [];
  const take = (bytes: number): number => {
    const pointer = module.ccall("malloc", "number", ["number"], [bytes]);
    taken.push(pointer);
    return pointer;
  };
  const pointers = lists.map((texts) => {
    const list = take(4 * (texts.length + 1));
    for (const [index, text] of texts.entries()) {
      const bytes = module.lengthBytesUTF8(text) + 1;
      const pointer = take(bytes);
      module.stringToUTF8(text, pointer, bytes);
      module.setValue(list + 4 * index, pointer, "*");
    }
    module.setValue(list + 4 * texts.length, 0, "*");
    return list;
  });
  const result = use(pointers);
  for (const pointer of taken) {
    module.ccall("free", null, ["number"], [pointer]);
  }
  return result;
};
