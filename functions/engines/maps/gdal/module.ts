import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The parts of GDAL (as WebAssembly) that are used here. Paths refer to its virtual file system; it sees no other. */
export interface Gdal {
  /** Mounts one folder of the disk as `/job` while `use` runs, and returns its result. */
  inFolder<T>(folder: string, use: () => T): T;
  /**
   * Opens a file for reading with one of these drivers, and no others.
   * @returns a handle, or 0 on failure
   */
  open(path: string, drivers: readonly string[], options?: readonly string[]): number;
  close(dataset: number): void;
  /** @returns the output of `ogrinfo -json`: layers, fields, counts */
  describe(dataset: number, options?: readonly string[]): unknown;
  /**
   * Writes a dataset, as `ogr2ogr` does.
   * @returns a handle of the output, which is on disk once closed; 0 on failure
   */
  translate(dataset: number, output: string, options: readonly string[]): number;
  /** @returns the warnings and errors since the last call, one per line */
  takeMessages(): string[];
}

/**
 * GDAL compiled by Emscripten. The package's own wrapper supports one folder per process; this is the module it wraps.
 */
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

/** Loading takes 250 ms and 60 MB, so it is deferred to the first file, and done once per process. */
let loading: Promise<Gdal> | undefined;
export const loadGdal = (): Promise<Gdal> => {
  loading ??= initialize();
  return loading;
};

const SETTINGS = {
  PROJ_LIB: "/usr/share/proj",
  GDAL_DATA: "/usr/share/gdal",
  // A shapefile without its index is still complete.
  SHAPE_RESTORE_SHX: "YES",
  // References to other files are not followed.
  GML_SKIP_RESOLVE_ELEMS: "ALL",
  GML_DOWNLOAD_SCHEMA: "NO",
  // Without its schema, a GML contains only texts; parsed as numbers, codes would lose their leading zeros.
  GML_FIELDTYPES: "ALWAYS_STRING",
  // With the column-based API, GDAL 3.8.4 loses the geometries of a FlatGeobuf in which one is missing.
  OGR2OGR_USE_ARROW_API: "NO",
  // Avoids millions of lines of warnings.
  CPL_MAX_ERROR_REPORTS: "200",
};

const LINES_MAX = 1_000;

const initialize = async (): Promise<Gdal> => {
  // On Lambda the package is in a layer, which only `NODE_PATH` locates; this kind of resolver uses it.
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
  return { ...calls(module), takeMessages: () => lines.splice(0) };
};

const VECTOR_VERBOSE = 0x04 | 0x40;

const calls = (module: Module): Omit<Gdal, "takeMessages"> => ({
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

/** @returns the result of `use` with string lists as in C: arrays of pointers with a terminating null */
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
