import { parseArgs } from "node:util";
import { chaos } from "./chaos.ts";
import { reportOf } from "./judge/report.ts";
import { recipes } from "./recipes.ts";

/**
 * `node test/chaos [--jobs 1000] [--runs 3] [--target local|aws] [--seed N] [--clients N] [--only docx]`: exit code 1
 * if a guarantee was violated.
 */

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "1000" },
    runs: { type: "string", default: "1" },
    target: { type: "string" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    clients: { type: "string" },
  },
});

/** Concurrent clients. On the AWS target they mostly wait: for redelivered messages, and for starts. */
const CLIENTS = { local: 8, aws: 32 } as const;

const chosen = recipes.filter(({ name }) => name.includes(values.only));
const targets = (["local", "aws"] as const).filter((target) => (values.target ?? target) === target);
for (const target of targets) {
  for (let run = 0; run < Number(values.runs); run += 1) {
    const seed = Number(values.seed) + run;
    const report = await chaos({
      target,
      seed,
      jobs: Number(values.jobs),
      clients: Number(values.clients ?? CLIENTS[target]),
      recipes: chosen,
    });
    console.log(reportOf(report));
    if (report.verdicts.some(({ broken }) => broken.length > 0)) {
      process.exitCode = 1;
    }
  }
}
