import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { webConversions } from "../../../functions/domain/conversions/by-engine/documents/web.ts";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import type { RouteStep } from "../../../functions/domain/conversions/plan.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { type ConverterPool, converterPool } from "../../../functions/engines/core/run.ts";
import { chooseEnclosure } from "../../../functions/engines/core/sandbox/choose.ts";
import { enclosures } from "../../../functions/engines/core/sandbox/enclosure.ts";
import { scrubbedEnvironment } from "../../../functions/engines/core/sandbox/environment.ts";
import { type ConversionResult, NETWORK_SOCKET } from "../../../functions/engines/core/task.ts";
import { reachable } from "../../../functions/outbound/addresses.ts";
import { type Fence, type FenceSettings, openFence } from "../../../functions/outbound/fence.ts";
import type { Scratch } from "./scratch.ts";

/** Web pages in the real sandbox, with the real browser, behind the real proxy. */

const entry = join(import.meta.dirname, "../../../functions/engines/core/converter.ts");

/** @returns a pool whose converters are in bubblewrap; undefined where it is not available */
export const sandboxedPool = async (scratch: Scratch, size = 1): Promise<ConverterPool | undefined> => {
  const surroundings = { scratchFolder: scratch.folder, entry, environment: scrubbedEnvironment("/tmp") };
  const bubblewrap = enclosures.filter(({ name }) => name === "bwrap");
  const { enclosure } = await chooseEnclosure("auto", surroundings, bubblewrap);
  return enclosure.name === "bwrap"
    ? converterPool({ size, entry, enclosure, scratchFolder: scratch.folder, spares: size })
    : undefined;
};

/** @returns a pool without a sandbox, as in a machine that opens one page and has nothing to protect */
export const expendablePool = (size = 1): ConverterPool => converterPool({ size, entry, isMachineExpendable: true });

export interface Opened {
  readonly result: Promise<ConversionResult>;
  readonly fence: Fence;
}

export interface PageTask {
  /** The URL, or the path of a file. */
  readonly page: string;
  readonly from?: FormatId;
  readonly to?: FormatId;
  readonly options?: Options;
  readonly timeoutMs?: number;
  /** Addresses in addition to public ones. */
  readonly allowed?: readonly string[];
  readonly resolve?: FenceSettings["resolve"];
  readonly limits?: FenceSettings["limits"];
}

/** Converts a page; the proxy is closed when that has ended. */
export const openPage = async (pool: ConverterPool, scratch: Scratch, task: PageTask): Promise<Opened> => {
  const { page, from = "url", to = "pdf", options = {}, timeoutMs = 60_000, allowed = [], resolve, limits } = task;
  const folder = scratch.fresh();
  mkdirSync(folder);
  const row = webConversions.find((each) => each.from.includes(from) && each.to === to);
  const step: RouteStep = { engine: "web", from, to, options: row?.options ?? [] };
  const input = from === "url" ? scratch.file(`[InternetShortcut]\r\nURL=${page}\r\n`) : page;
  const fence = await openFence({
    folder,
    name: NETWORK_SOCKET,
    reaches: reachable(allowed),
    ...(resolve && { resolve }),
    ...(limits && { limits }),
  });
  const network = from === "url";
  const result = pool
    .run({ input, folder, steps: [step], options, network }, { timeoutMs, memoryBytesMax: 2_500_000_000 })
    .finally(fence.close);
  return { result, fence };
};
