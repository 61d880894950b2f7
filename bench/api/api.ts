import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startLocalService } from "../../test/support/services/local-service.ts";
import { interleaved, printTable, quantile, timed } from "../support/figures.ts";
import { type Inputs, makeInputs } from "../support/inputs.ts";
import { type Usage, watched } from "../support/process-tree.ts";
import { bareJpeg, bareWebp } from "./bare.ts";
import { type Flow, flowAt, oneCallAt } from "./flow.ts";
import { startBareService } from "./start-bare-service.ts";
import { polls, waits } from "./waiting.ts";

/**
 * `node bench [--photo PATH]`: the complete API flow of the one-machine service against the bare engine, interleaved in
 * one run. Trust the ratios: absolute times depend on the machine.
 */

const AT_ONCE = 16;
const THROUGHPUT_MS = 8_000;
const FLOOR_CONVERSIONS = 2_000;
/** Conversions of small images before those that count, of every system: until then, the code is not optimized. */
const WARM_UPS = 400;
const HEADER = ["case", "first ms", "ours p50 ms", "p95", "bare p50 ms", "p95", "ratio", "bound", "CPU s", "peak MB"];

interface Bench {
  readonly flow: Flow;
  readonly inputs: Inputs;
  readonly url: string;
  readonly key: string;
  readonly pid: number;
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { photo: { type: "string" } } });
  const folder = await mkdtemp(join(tmpdir(), "anyform-bench-"));
  const service = await startLocalService();
  try {
    const inputs = await makeInputs(folder, values.photo);
    const key = (await readFile(join(service.dataDir, "api-key"), "utf8")).trim();
    const bench = { flow: flowAt(service.url, key), inputs, url: service.url, key, pid: service.process.pid ?? 0 };
    const rows = [
      await large(bench),
      await small(bench),
      await oneCall(bench),
      await crowd(bench),
      await throughput(bench),
      await waiting(bench),
      await polling(bench),
    ];
    printTable([HEADER, ...rows]);
  } finally {
    await service.stop();
    await service.erase();
    await rm(folder, { recursive: true, force: true });
  }
};

const large = async ({ flow, inputs, pid }: Bench): Promise<string[]> => {
  const ways = { ours: () => flow(inputs.large, "webp"), bare: () => bareWebp(inputs.large, `${inputs.large}.webp`) };
  const { result, usage } = await watched(pid, () => interleaved(ways, { runs: 11, warmUps: 2 }));
  const ratio = quantile(result.ours, 0.5) / quantile(result.bare, 0.5);
  return row("(a) 12 MP JPEG → WebP", result, { figure: `${ratio.toFixed(3)} ×`, bound: "≤ 1.15 ×" }, usage);
};

const small = (bench: Bench): Promise<string[]> => smallBy(bench.flow, "(b) 320×240 PNG → JPEG", bench);

const oneCall = (bench: Bench): Promise<string[]> =>
  smallBy(oneCallAt(bench.url, bench.key), "(b) 320×240 PNG → JPEG by one call", bench);

const smallBy = async (flow: Flow, name: string, { inputs, pid }: Bench): Promise<string[]> => {
  const ways = { ours: () => flow(inputs.small, "jpg"), bare: () => bareJpeg(inputs.small, `${inputs.small}.jpg`) };
  const { result, usage } = await watched(pid, () => interleaved(ways, { runs: 400, warmUps: WARM_UPS }));
  const [ours, bare] = [quantile(result.ours, 0.5), quantile(result.bare, 0.5)];
  const figure = `${(ours / bare).toFixed(2)} ×, +${(ours - bare).toFixed(1)} ms`;
  return row(name, result, { figure, bound: "≤ 3 ×, 12 ms" }, usage);
};

const crowd = ({ flow, inputs, pid }: Bench): Promise<string[]> =>
  withWorkers(async (workers) => {
    const all = Array.from({ length: AT_ONCE }, () => inputs.medium);
    const ways = {
      ours: () => Promise.all(all.map((input) => flow(input, "webp"))),
      bare: () => shareOut(workers, all),
    };
    const { result, usage } = await watched(pid, () => interleaved(ways, { runs: 5, warmUps: 1 }));
    const ratio = quantile(result.ours, 0.5) / quantile(result.bare, 0.5);
    return row(
      "(e) 16 × 6 MP JPEG → WebP",
      result,
      { figure: `${ratio.toFixed(3)} ×`, bound: "≤ 1.1 ×, 700 MB" },
      usage,
    );
  });

/** Each worker takes the next input when it has finished the previous one, until none remain. */
const shareOut = async (workers: readonly ChildProcess[], inputs: readonly string[]): Promise<void> => {
  const left = [...inputs];
  await Promise.all(
    workers.map(async (worker) => {
      for (let input = left.pop(); input !== undefined; input = left.pop()) {
        worker.send(input);
        await once(worker, "message");
      }
    }),
  );
};

/** Baselines: the bare engine, and a service that only handles the four requests; see `bare-service.ts`. */
const throughput = async ({ flow, inputs, pid }: Bench): Promise<string[]> => {
  const engine = await withWorkers(async (workers) => {
    const many = Array.from({ length: FLOOR_CONVERSIONS }, () => inputs.small);
    await shareOut(workers, many.slice(0, WARM_UPS));
    return (1_000 * many.length) / (await timed(() => shareOut(workers, many)));
  });
  const bare = await startBareService();
  const floor = await flows(flowAt(bare.url, "none"), inputs.small).finally(bare.stop);
  const { result, usage } = await watched(pid, () => flows(flow, inputs.small));
  const cells = {
    figure: `${result.perSecond.toFixed(0)} /s of ${floor.perSecond.toFixed(0)} bare service, ${engine.toFixed(0)} bare engine`,
    bound: "≥ 250 /s",
  };
  return row("(g) 320×240 PNG → JPEG, 16 at once", { ours: result.times, bare: [] }, cells, usage);
};

/** Runs the flow repeatedly with 16 clients. */
const flows = async (flow: Flow, input: string): Promise<{ perSecond: number; times: readonly number[] }> => {
  let left = WARM_UPS;
  const warmUp = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await flow(input, "jpg");
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, warmUp));
  const times: number[] = [];
  const start = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() < start + THROUGHPUT_MS) {
      times.push(await timed(() => flow(input, "jpg")));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  return { perSecond: (1_000 * times.length) / (performance.now() - start), times };
};

/** Time from the end of the job to the response of the request that waited for it. */
const waiting = async (bench: Bench): Promise<string[]> => {
  const { times, usage } = await waits(bench, bench.inputs.medium);
  const figure = `+${quantile(times, 0.5).toFixed(0)} ms`;
  return row("(h) end of a job → response", { ours: times, bare: [] }, { figure, bound: "≤ 15 ms" }, usage);
};

const polling = async (bench: Bench): Promise<string[]> => {
  const { times, usage, cpuMs } = await polls(bench, bench.inputs.small);
  const cells = { figure: `${cpuMs.toFixed(2)} ms CPU`, bound: "≤ 2 ms CPU" };
  return row("(i) a status request", { ours: times, bare: [] }, cells, usage);
};

/** Runs the work with one process of the bare engine per core. */
const withWorkers = async <T>(work: (workers: readonly ChildProcess[]) => Promise<T>): Promise<T> => {
  const workers = Array.from({ length: availableParallelism() }, () => fork(join(import.meta.dirname, "bare.ts")));
  try {
    return await work(workers);
  } finally {
    for (const worker of workers) {
      worker.kill();
    }
  }
};

const row = (
  name: string,
  { ours, bare, coldMs }: { ours: readonly number[]; bare: readonly number[]; coldMs?: number },
  { figure, bound }: { figure: string; bound: string },
  usage: Usage,
): string[] => {
  const cells = (values: readonly number[]) =>
    values.length === 0 ? ["", ""] : [quantile(values, 0.5).toFixed(1), quantile(values, 0.95).toFixed(1)];
  const cost = [usage.cpuSeconds.toFixed(1), (usage.memoryBytes / 1e6).toFixed(0)];
  const first = coldMs === undefined ? "" : coldMs.toFixed(0);
  return [name, first, ...cells(ours), ...cells(bare), figure, bound, ...cost];
};

await main();
