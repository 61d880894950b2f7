import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { LaneId } from "../functions/domain/conversions/lanes.ts";
import { returnMemoryWhenIdle } from "../functions/engines/core/idle-memory.ts";
import { type LocalContext, context as localContext } from "./context.ts";
import { converterFilesIn } from "./engines/converter-files.ts";
import { sandboxFor } from "./engines/isolation.ts";
import { startConverters } from "./engines/start-converters.ts";
import { withheldEngines } from "./engines/withheld-engines.ts";
import { listen } from "./http/listen.ts";
import { countedConversions, processGauges } from "./metrics/gauges.ts";
import { type FirstProcess, firstProcess } from "./processes/first-process.ts";
import { noMessages } from "./processes/no-messages.ts";
import { remoteState } from "./processes/remote-state.ts";
import { startWork } from "./queue/start-work.ts";
import { preparationOf, rehearseWhenWarm } from "./rehearsal/prepare.ts";
import { onError, serviceGateway } from "./service-gateway.ts";
import { servicePages } from "./service-pages.ts";
import type { Settings } from "./settings.ts";
import { shutDown } from "./shut-down.ts";

/** Milliseconds between two counts of the messages that the first process has received. */
const RECOUNT_MS = 250;

/**
 * Runs a further process of the service until the first one stops it, or ends. It shares the port, the database and the files
 * with it, serves requests, and has converters for conversions in one call.
 *
 * @returns when it accepts requests
 */
export const runFurther = async (settings: Settings, processName: string): Promise<void> => {
  const first = firstProcess(process);
  first.onStop(() => process.exit(0));
  // A terminal signals all processes of a group, but the first one decides when this one ends.
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {});
  }
  process.on("disconnect", () => process.exit(1));
  const files = converterFilesIn(settings.dataDir, processName);
  const sandbox = await sandboxFor(settings.isolation, files);
  const converters = startConverters(
    // Without memory for LibreOffice: documents are converted by the first process.
    { ...settings, memoryBytes: 0, slots: Math.ceil(availableParallelism() / settings.apiProcesses) },
    { ...files, enclosure: sandbox.enclosure },
  );
  const { pool, warm, slots, furtherSlots } = converters;
  const context = localContext(withheldEngines(settings, sandbox), remoteState(first, processName));
  reportMessages(context, first);
  const { server, forms } = await serviceGateway(context, settings, await servicePages(settings));
  const conversions = countedConversions(warm);
  for (const gauges of [processGauges(context.clock()), conversions.gauges, server.gauges]) {
    context.metrics.onRead(gauges);
  }
  const work = startWork(context, { conversions, queue: noMessages, slots, furtherSlots, onError });
  const timers = [setInterval(() => recount(context), RECOUNT_MS)];
  const stopping = new AbortController();
  const stop = async (prepared: Promise<void>): Promise<void> => {
    stopping.abort();
    await prepared;
    await shutDown({ server, forms, draining: [work.drain, () => first.hasDrained], pool, context, timers });
  };
  returnMemoryWhenIdle();
  await listen(server, { ...settings, isShared: true });
  const prepared = rehearseWhenWarm(
    preparationOf({
      // The rehearsal has a folder by this path.
      settings: { ...settings, dataDir: join(settings.dataDir, processName) },
      context,
      converters,
      server,
      onError,
      signal: stopping.signal,
    }),
  );
  first.onStop(() => {
    stop(prepared).catch((error: unknown) => {
      onError(error);
      process.exit(1);
    });
  });
};

/** Reports the lanes to which messages are sent, once for all of the same turn of the event loop. */
const reportMessages = ({ queue }: Pick<LocalContext, "queue">, first: Pick<FirstProcess, "report">): void => {
  const lanes = new Set<LaneId>();
  queue.onSend((lane) => {
    if (lanes.size === 0) {
      setImmediate(() => {
        for (const each of lanes) {
          first.report("sent", each);
        }
        lanes.clear();
      });
    }
    lanes.add(lane);
  });
};

const recount = ({ queue }: Pick<LocalContext, "queue">): void => {
  try {
    queue.recount();
  } catch (error) {
    // As long as the database cannot be read, the earlier counts apply.
    onError(error);
  }
};
