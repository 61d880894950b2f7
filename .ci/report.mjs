import { existsSync, globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * Evaluates the reports of the two test runs of `.ci/run`:
 *
 * `again`: the test files with a skipped test or omitted check in the first run, one per line.
 * `pairs`: the contract pairs with an omitted check, for `ANYFORM_PAIRS`.
 * `sum`: prints the result of both runs. A test counts once, and has failed if it failed in either. Also fails if a test file
 * that the change may affect is missing from the report or has no tests.
 */

const [command, folder = ""] = process.argv.slice(2);
const root = process.cwd();

const read = (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");

const filesOf = (name) => {
  const text = read(`${name}.json`);
  return text === "" ? [] : JSON.parse(text).testResults;
};

const leftOut = () =>
  read("first.left-out")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

const isSkipped = ({ status }) => !["passed", "failed"].includes(status);

const again = () => {
  const skipped = filesOf("first").filter(({ assertionResults }) => assertionResults.some(isSkipped));
  const files = new Set([...skipped.map(({ name }) => name), ...leftOut().map(({ file }) => file)]);
  return [...files].map((file) => relative(root, file)).sort();
};

const pairs = () =>
  [
    ...new Set(
      leftOut().flatMap(({ file, test }) => {
        const found = file.includes("/engines/contract/") ? /^(\S+) → (\S+)/.exec(test) : null;
        return found === null ? [] : [`${found[1]} ${found[2]}`];
      }),
    ),
  ].join(",");

const RANK = ["failed", "passed"];

const results = () => {
  const tests = new Map();
  for (const { name, assertionResults } of [...filesOf("first"), ...filesOf("second")]) {
    for (const { fullName, status } of assertionResults) {
      const key = `${name} ${fullName}`;
      const known = tests.get(key);
      tests.set(key, RANK.find((each) => each === known || each === status) ?? "skipped");
    }
  }
  return [...tests.values()];
};

const broken = async () => {
  const { omittedTests } = await import("../test/selection/test-files.ts");
  const omitted = new Set(omittedTests(false));
  const reported = new Map(filesOf("first").map((file) => [relative(root, file.name), file]));
  const missing = globSync("test/**/*.test.ts").filter(
    (path) => !omitted.has(path) && !reported.get(path)?.assertionResults.length,
  );
  const failed = [...filesOf("first"), ...filesOf("second")].filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  return [
    ...missing.map((path) => `${path} has no tests in the report.`),
    ...failed.map(({ name }) => `${relative(root, name)} failed outside of its tests.`),
  ];
};

const sum = async () => {
  const all = results();
  const faults = await broken();
  for (const fault of faults) {
    console.log(fault);
  }
  const count = (status) => all.filter((each) => each === status).length;
  const failed = count("failed") + faults.length;
  console.log(`${count("passed")} passed, ${failed} failed, ${count("skipped")} skipped`);
  process.exitCode = failed === 0 && count("passed") > 0 ? 0 : 1;
};

if (command === "again") {
  // Without any, nothing is printed: an empty line would repeat the complete run.
  process.stdout.write(
    again()
      .map((file) => `${file}\n`)
      .join(""),
  );
} else if (command === "pairs") {
  console.log(pairs());
} else {
  await sum();
}
