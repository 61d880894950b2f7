import { parseArgs } from "node:util";
import { runHostile } from "./run.ts";
import { tableOf } from "./table.ts";

/**
 * Sends hostile files through a service, and prints the outcomes: `node test/hostile --all`. Without `--all` each file
 * is converted to one format only. `ANYFORM_CORPUS` adds the corrupt and hostile files of a folder of real ones.
 */

const { values } = parseArgs({ options: { all: { type: "boolean", default: false }, only: { type: "string" } } });

const report = await runHostile({
  choose: (files) => files.filter(({ family }) => family.includes(values.only ?? "")),
  targetsMax: values.all ? 3 : 1,
  corpus: process.env.ANYFORM_CORPUS,
});
console.log(tableOf(report));
const wrong = report.outcomes.filter(({ sound }) => !sound);
for (const { name, ended, seconds } of wrong) {
  console.log(`  ${ended} after ${seconds} s: ${name}`);
}
const outside = [...report.strays, ...report.leaks, ...report.requests];
for (const line of outside) {
  console.log(`  outside: ${line}`);
}
process.exitCode = report.alive && wrong.length + outside.length === 0 ? 0 : 1;
