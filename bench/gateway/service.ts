import { firstKey } from "../../local/accounts/first-key.ts";
import { context as localContext } from "../../local/context.ts";
import { gateway } from "../../local/http/gateway.ts";
import { listen, unusedPort } from "../../local/http/listen.ts";
import { firstProcess } from "../../local/processes/first-process.ts";
import { furtherProcesses } from "../../local/processes/further-processes.ts";
import { FURTHER } from "../../local/processes/messages.ts";
import { remoteState } from "../../local/processes/remote-state.ts";
import { ownState } from "../../local/processes/shared-state.ts";
import { onError } from "../../local/service-gateway.ts";
import { readSettings } from "../../local/settings.ts";

/**
 * The service without converters: conversions of bytes end at once with {@link RESULT}. Prints its address when all of its
 * processes listen.
 */

const RESULT = Buffer.alloc(15_000, 7);

const [, , role, processName = ""] = process.argv;
const isFurther = role === FURTHER;
const { apiProcesses, host, port: asked } = readSettings();
const state = isFurther ? remoteState(firstProcess(process), processName) : ownState();
const context = localContext([], state);
const server = await gateway({ body: "stream", files: context.files.serveSigned, onError });
context.direct.open({
  pool: {
    run: () => Promise.reject(new Error("This service converts bytes only.")),
    runBytes: async () => ({ output: RESULT, timings: [], warnings: [] }),
  },
  slot: async () => () => undefined,
  onEnd: context.admission.jobEnded,
});
const isShared = apiProcesses > 1;
const port = await listen(server, { host, isShared, port: isFurther ? asked : await unusedPort({ host, port: 0 }) });
process.on("disconnect", () => process.exit());
if (isFurther) {
  context.metrics.onRead(server.gauges);
} else {
  const further = furtherProcesses({ ...context, count: apiProcesses - 1, port, state, onError });
  const ready = setInterval(async () => {
    // A process reports its gauges when it listens.
    if (further.gauges().filter(({ length }) => length > 0).length === apiProcesses - 1) {
      clearInterval(ready);
      process.send?.({ url: `http://${host}:${port}`, keyPath: await firstKey(context) });
    }
  }, 50);
}
