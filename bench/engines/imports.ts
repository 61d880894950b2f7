import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleInto, bundles } from "../../infra/bundle.ts";
import { CONVERTER } from "../../infra/bundle-converter.ts";
import { printTable, quantile } from "../support/figures.ts";

/**
 * `node bench imports`: the cold start cost of each function before its first request, as CPU time of importing its
 * bundle in a new process of Node 24. The baseline is an empty bundle. The converter is a separate program that each
 * converter function starts; its engines are loaded when a job needs them.
 */

const RUNS = 9;

/** Prints the CPU time of a require and of the process since its start, in microseconds. */
const PROBE =
  "const a=process.cpuUsage();require(process.argv[1]);const b=process.cpuUsage(a);const c=process.cpuUsage();" +
  "console.log(b.user+b.system,c.user+c.system);process.exit()";

/** CPU limit of an import that clients wait for, in milliseconds on an idle machine. */
const BOUND_MS = 90;

/** The two operations that verify passkeys include a library of 300 kB. */
const PASSKEY_BOUND_MS = 120;
const PASSKEY = ["create-passkey/index", "create-passkey-session/index"];

interface Start {
  readonly importMs: number;
  readonly processMs: number;
}

const starts = (file: string): Start[] =>
  Array.from({ length: RUNS }, () => {
    const env = { PATH: process.env.PATH, AWS_REGION: "us-east-1" };
    const [imported = "", whole = ""] = execFileSync(process.execPath, ["-e", PROBE, file], { env, encoding: "utf8" })
      .trim()
      .split(" ");
    return { importMs: Number(imported) / 1_000, processMs: Number(whole) / 1_000 };
  });

const folder = mkdtempSync(join(tmpdir(), "anyform-imports-"));
try {
  await bundleInto(folder);
  const rows = [...Object.keys(bundles), CONVERTER].map((name) => {
    const path = join(folder, `${name}${name === CONVERTER ? ".mjs" : ".js"}`);
    const measured = starts(path);
    const imports = measured.map(({ importMs }) => importMs);
    const bound = PASSKEY.includes(name) ? PASSKEY_BOUND_MS : BOUND_MS;
    return [
      name.replace("/index", ""),
      (statSync(path).size / 1_000).toFixed(0),
      ...[Math.min(...imports), quantile(imports, 0.5), Math.min(...measured.map(({ processMs }) => processMs))].map(
        (value) => value.toFixed(0),
      ),
      `≤ ${bound}`,
    ];
  });
  printTable([["function", "kB", "min CPU ms", "median", "with Node", "bound of min"], ...rows]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
