import { runScripts } from "../domain/conversions/engines.ts";
import { JobError } from "../domain/errors.ts";
import type { Context } from "../domain/ports.ts";
import { type ConversionResult, type ConversionTask, NETWORK_SOCKET } from "../engines/core/task.ts";
import { type JobKeys, jobKeys, logger } from "../logger.ts";
import { reachable } from "../outbound/addresses.ts";
import { type Fence, openFence } from "../outbound/fence.ts";

/**
 * Runs a conversion. If its source is a web page, the conversion has a network meanwhile: a proxy that applies the
 * address rules to each connection, and counts what is used.
 *
 * @throws JobError as the conversion does; `page_refused` when the page or its use of the network is not allowed
 */
export const withWebAccess = async (
  context: Pick<Context, "importAllowed">,
  job: JobKeys,
  task: ConversionTask,
  run: (task: ConversionTask) => Promise<ConversionResult>,
): Promise<ConversionResult> => {
  const [first] = task.steps;
  if (first?.from !== "url" || !runScripts([first.engine])) {
    return run(task);
  }
  const reaches = reachable(context.importAllowed ?? []);
  const fence = await openFence({ folder: task.folder, name: NETWORK_SOCKET, reaches });
  try {
    const result = await run({ ...task, network: true });
    return { ...result, warnings: [...result.warnings, ...warningsOf(fence)] };
  } catch (error) {
    throw refusalOf(error, fence) ?? error;
  } finally {
    await fence.close();
    report(job, fence);
  }
};

/** @returns the error for a page that could not be loaded because the proxy refused it */
const refusalOf = (error: unknown, { tally }: Fence): JobError | undefined => {
  if (!(error instanceof JobError && error.code === "page_unavailable")) {
    return undefined;
  }
  if (tally.exceeded !== undefined) {
    return new JobError("page_refused", `The page exceeds the limit ${tally.exceeded}.`, { cause: error });
  }
  const [host] = tally.refused;
  return host !== undefined && tally.reached.size === 0
    ? new JobError("page_refused", `${host} is in a private network or does not resolve to a host.`, { cause: error })
    : undefined;
};

const warningsOf = ({ tally: { exceeded, refused } }: Fence) => [
  ...(exceeded === undefined
    ? []
    : [{ code: "page_incomplete", detail: `The page exceeds the limit ${exceeded}; the rest was not loaded.` }]),
  ...(refused.size === 0
    ? []
    : [{ code: "remote_content_dropped", detail: `${refused.size} addresses of the page are not allowed.` }]),
];

const report = (job: JobKeys, { tally }: Fence): void =>
  logger.info("web page loaded", {
    ...jobKeys(job),
    connections: tally.connections,
    lookups: tally.lookups,
    bytes_in: tally.bytesIn,
    bytes_out: tally.bytesOut,
    hosts: tally.reached.size,
    refused: tally.refused.size,
    exceeded: tally.exceeded,
  });
