import { signedInHeaders } from "./signed-in.ts";

/**
 * Signs a browser in to an account of a running service, by its tables: `node test/support/sign-in-to.ts local|aws
 * acc_…`. Prints the headers that its pages send.
 */

const [tables, accountId = ""] = process.argv.slice(2);
const { context } = await (tables === "aws" ? import("../../functions/context.ts") : import("../../local/context.ts"));
console.log(JSON.stringify(await signedInHeaders(context(), accountId)));
