import { parsed } from "../../../local/accounts/account-arguments.ts";
import { commands } from "../../../local/accounts/account-commands.ts";
import { signedInHeaders } from "../world/signed-in.ts";

/**
 * Runs account commands and signs browsers in, on the tables of a running service: `local` or `aws`. One process
 * serves all requests of a test file, because starting Node for each takes longer than the command.
 */

/** What the parent process asks for, with a number that its reply has too. */
export interface OperatorRequest {
  readonly id: number;
  readonly task: { readonly args: readonly string[] } | { readonly signIn: string };
}

export interface OperatorReply {
  readonly id: number;
  readonly output?: unknown;
  readonly error?: string;
}

const [tables] = process.argv.slice(2);
const { context } = await (tables === "aws"
  ? import("../../../functions/context.ts")
  : import("../../../local/context.ts"));
const world = context();

const outputOf = async (task: OperatorRequest["task"]): Promise<unknown> => {
  if ("signIn" in task) {
    return signedInHeaders(world, task.signIn);
  }
  const { positionals, values } = parsed(task.args);
  const [name = "", file] = positionals;
  const command = commands[name];
  if (command === undefined) {
    throw new Error(`Unknown command "${name}".`);
  }
  return command(world, { ...values, file });
};

const reply = (message: OperatorReply) => process.send?.(message);

process.on("message", ({ id, task }: OperatorRequest) => {
  outputOf(task).then(
    (output) => reply({ id, output }),
    (error: unknown) => reply({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
process.once("disconnect", () => process.exit());
