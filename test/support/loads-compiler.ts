import { spawnSync } from "node:child_process";

/**
 * @param options of Node
 * @param program a module, from the project's folder
 * @param environment in addition to `PATH`
 * @param argument for the module, as its first
 * @returns whether loading the module loads the compiler of TypeScript
 */
export const loadsCompiler = (
  options: readonly string[],
  program: string,
  environment: Readonly<Record<string, string>>,
  argument = "",
): boolean => {
  const script = [
    'process.once("exit", () => console.error(process.moduleLoadList.some((name) => name.includes("amaro"))));',
    `await import(${JSON.stringify(program)});`,
  ].join("\n");
  const { stderr } = spawnSync(process.execPath, [...options, "--input-type=module", "-e", script, "", argument], {
    env: { PATH: process.env.PATH, ...environment },
  });
  return JSON.parse(stderr.toString().trim().split("\n").at(-1) ?? "");
};
