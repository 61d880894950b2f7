import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { checkTable } from "./engine-check.ts";
import { type Command, type Machine, type System, systemOf } from "./installation.ts";
import { isOnPath, missingPrograms } from "./installed.ts";
import { packageList } from "./packages.ts";

/** `npm run engines`: installs the programs that engines start; `-- --check` lists them. */

const USAGE = `Usage: npm run engines              Install the programs that conversions need
       npm run engines -- --check   List the programs, whether they are installed, and the formats that depend on them`;

const main = async (args: string[]): Promise<number> => {
  const { values } = parseArgs({ args, options: { check: { type: "boolean" }, help: { type: "boolean" } } });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (values.check) {
    console.log(await checkTable());
    return missingPrograms().length === 0 ? 0 : 1;
  }
  return install(thisMachine());
};

const thisMachine = (): Machine => ({
  platform: process.platform,
  osRelease: process.platform === "linux" ? readFileSync("/etc/os-release", "utf8") : "",
  isRoot: process.getuid?.() === 0,
  has: (program) => isOnPath(program),
});

/**
 * @returns the exit code: 1 when an installation failed. Missing programs are reported: the service runs without them.
 */
const install = (machine: Machine): number => {
  const system = systemOf(machine);
  const missing = system?.packages(packageList()).filter(notIn(installedBy(system))) ?? [];
  const { commands, advice } =
    system === undefined || missing.length === 0 ? { commands: [], advice: [] } : system.install(missing, machine);
  const done = commands.every(run);
  for (const line of [...advice, report(system)]) {
    console.log(line);
  }
  return done ? 0 : 1;
};

const report = (system: System | undefined): string => {
  const missing = missingPrograms();
  if (missing.length === 0) {
    return "All engines are installed.";
  }
  const how = system === undefined ? " Install them with your package manager." : "";
  return `Not installed: ${missing.join(", ")}.${how} Their conversions are unavailable. Details: npm run engines -- --check`;
};

const run = ([program, ...args]: Command): boolean => {
  console.log(`> ${[program, ...args].join(" ")}`);
  return spawnSync(program, args, { stdio: "inherit" }).status === 0;
};

const notIn =
  (installed: ReadonlySet<string>) =>
  (name: string): boolean =>
    !installed.has(name);

/** @returns the installed packages, by their names in the list */
const installedBy = ({ name }: System): ReadonlySet<string> => {
  if (name === "apt") {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg fills them in
    const lines = output("dpkg-query", "--show", "--showformat=${db:Status-Status} ${Package}\\n").split("\n");
    return new Set(
      lines.filter((line) => line.startsWith("installed ")).map((line) => line.slice("installed ".length)),
    );
  }
  const casks = output("brew", "list", "--cask", "-1").split("\n");
  return new Set([...output("brew", "list", "--formula", "-1").split("\n"), ...casks.map((cask) => `cask/${cask}`)]);
};

const output = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: "utf8", maxBuffer: 50_000_000 });

process.exitCode = await main(process.argv.slice(2));
