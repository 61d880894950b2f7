import { logger } from "../../functions/logger.ts";
import { firstKey } from "../../local/accounts/first-key.ts";
import { context as localContext } from "../../local/context.ts";
import { gateway } from "../../local/http/gateway.ts";
import { addressOf } from "../../test/support/address.ts";

/**
 * The service without converters: conversions of bytes end at once with {@link RESULT}. Prints its address, and returns
 * the CPU time of its main thread when it receives a message.
 */

const RESULT = Buffer.alloc(15_000, 7);

const onError = (error: unknown): void => logger.error("unexpected", { error: error instanceof Error ? error : null });

const context = localContext();
const server = await gateway({ body: "stream", files: context.files.serveSigned, onError });
context.direct.open({
  pool: {
    run: () => Promise.reject(new Error("This service converts bytes only.")),
    runBytes: async () => ({ output: RESULT, timings: [], warnings: [] }),
  },
  slot: async () => () => undefined,
  onEnd: context.admission.jobEnded,
});
const url = await addressOf(server);
const keyPath = await firstKey(context);
process.on("message", () => process.send?.({ thread: process.threadCpuUsage(), process: process.cpuUsage() }));
process.on("disconnect", () => process.exit());
process.send?.({ url, keyPath });
