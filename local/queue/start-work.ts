import type { ConverterPool } from "../../functions/engines/core/run.ts";
import { failJob } from "../../functions/events/fail-job.ts";
import { requeueJob } from "../../functions/events/requeue-job.ts";
import { scratchFolders } from "../../functions/events/scratch.ts";
import type { LocalContext } from "../context.ts";
import { convertQueued } from "./bytes-conversions.ts";
import { type Dispatcher, type DispatcherSettings, dispatcher } from "./dispatcher.ts";

interface WorkSettings extends Pick<DispatcherSettings, "furtherSlots" | "onError" | "slots"> {
  /** @default the queue of the context */
  readonly queue?: DispatcherSettings["queue"];
  readonly conversions: Pick<ConverterPool, "run" | "runBytes">;
}

/** Starts the conversions of a context: those of its queue, and those in one call. */
export const startWork = (context: LocalContext, { conversions, ...settings }: WorkSettings): Dispatcher => {
  const scratch = scratchFolders(context.scratchFolder);
  const work = dispatcher({
    ...context,
    ...settings,
    convert: convertQueued(context, { pool: conversions, scratch }),
    fail: failJob(context),
    requeue: requeueJob(context),
    onEnd: context.admission.jobEnded,
  });
  context.direct.open({ pool: conversions, slot: work.slot, onEnd: context.admission.jobEnded });
  context.database.shareWhile(work.isFull);
  return work;
};
