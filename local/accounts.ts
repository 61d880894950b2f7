import type { Context } from "../functions/domain/ports.ts";
import { CommandError, parsed, USAGE } from "./accounts/account-arguments.ts";
import { commands } from "./accounts/account-commands.ts";
import { TransferError } from "./accounts/transfer/lines.ts";

/** The operator's command for accounts, on the tables of this machine or of an AWS deployment. */

const contextOf = async (target: string): Promise<Context> => {
  if (target === "aws") {
    process.env.ANYFORM_KEYS_TABLE ??= "anyform-keys";
    process.env.ANYFORM_QUOTAS_TABLE ??= "anyform-quotas";
    return (await import("../functions/context.ts")).context();
  }
  if (target === "local") {
    return (await import("./context.ts")).context();
  }
  throw new CommandError(`--target must be local or aws, not ${target}.`);
};

/** @returns the human-readable output: one line per row */
const plain = (output: object | object[]): string =>
  (Array.isArray(output) ? output : [output])
    .map((row) =>
      Object.entries(row)
        .map(([name, value]) => `${name}=${value}`)
        .join("  "),
    )
    .join("\n");

const main = async (): Promise<void> => {
  const { positionals, values } = parsed();
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const [name, file] = positionals;
  const command = commands[name ?? ""];
  if (command === undefined) {
    throw new CommandError(`${name === undefined ? "Missing command." : `Unknown command "${name}".`}\n\n${USAGE}`);
  }
  const output = await command(await contextOf(values.target), { ...values, file });
  console.log(values.json ? JSON.stringify(output) : plain(output));
};

try {
  await main();
} catch (error) {
  const known =
    error instanceof CommandError || error instanceof TransferError || (error instanceof TypeError && "code" in error);
  console.error(known ? error.message : error);
  process.exitCode = 1;
}
