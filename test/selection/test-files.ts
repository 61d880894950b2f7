import { globSync } from "node:fs";
import { changesHere } from "./changes.ts";
import { importsIn } from "./imports.ts";
import { isTouched, type Touched } from "./select-pairs.ts";
import { ROOT, TABLES } from "./source-graph.ts";
import { touchedBy } from "./touched.ts";

/** Tests of engines and of folders that a change cannot affect: `npm test` omits them, and `npm run test:all` runs them. */

/** @returns paths of the omitted test files, from the root; none if git cannot tell what has changed */
export const omittedTests = (all: boolean): readonly string[] => {
  const changes = all ? undefined : changesHere(ROOT);
  const touched = changes === undefined ? "everything" : touchedBy(changes);
  return typeof touched === "string" ? [] : [...unaffectedTests(engineTests(), touched), ...testsOfFolders(touched)];
};

/** Tests that take long, and the folder that determines their result. */
const FOLDER_OF_TEST = {
  "test/client/python-types.test.ts": "client/python/",
  "test/e2e/operations/dashboard.test.ts": "dashboard/pages/convert/",
} as const;

/** @returns those whose folder is unchanged */
const testsOfFolders = ({ files }: Touched): readonly string[] =>
  Object.entries(FOLDER_OF_TEST)
    .filter(([test, folder]) => ![...files].some((path) => path === test || path.startsWith(folder)))
    .map(([test]) => test);

/** @returns the test files of engines, from the root; contract tests select their pairs themselves */
export const engineTests = (): readonly string[] =>
  globSync("test/engines/**/*.test.ts", { cwd: ROOT, exclude: ["test/engines/contract/**"] }).sort();

/**
 * @param paths test files, from the root
 * @returns those that import no changed module and use no changed package, table row, fixture, or engine of their family
 */
export const unaffectedTests = (paths: readonly string[], touched: Touched): readonly string[] => {
  const changed = [...touched.files];
  if (changed.some((path) => USED_BY_PATH.some((folder) => path.startsWith(folder)))) {
    return [];
  }
  const needsOf = importsIn(ROOT, TABLES);
  const families = new Set(changed.map(familyOf).filter((family) => family !== undefined));
  const rows = touched.formats.size > 0 || touched.pairs.size > 0;
  return paths.filter((path) => !(rows || startsAny(path, families) || isTouched(needsOf(path), touched)));
};

/** Folders of files that tests of every engine use by their path. */
const USED_BY_PATH = ["test/fixtures/", "layers/", "functions/engines/core/"];

/** @returns `pdf` for `functions/engines/pdf/…` and `test/engines/pdf/…` */
const familyOf = (path: string): string | undefined => /^(?:functions|test)\/engines\/([^/]+)\//.exec(path)?.[1];

/** @returns whether the test starts an engine of one of the families; a test of no family starts them all */
const startsAny = (path: string, families: ReadonlySet<string>): boolean => {
  const family = familyOf(path);
  return family === undefined ? families.size > 0 : families.has(family);
};
