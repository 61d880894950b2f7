import { getHeapStatistics } from "node:v8";

const CHECK_MS = 5_000;

/** CPU time of an idle process in {@link CHECK_MS}: timers and a few requests. */
const IDLE_CPU_MS_MAX = 100;

/** Bytes that V8 allocated since the last collection and may return; a collection takes 30 ms. */
const WORTHWHILE_BYTES_MIN = 4_000_000;

/**
 * Returns the memory of garbage and of V8's reserves to the system when the process becomes idle. V8 keeps both until it
 * needs them: 20 to 40 MB after the start or a burst of work. Requires Node's option `--expose-gc`, otherwise V8 decides.
 */
export const returnMemoryWhenIdle = (): void => {
  const { gc } = globalThis;
  if (gc === undefined) {
    return;
  }
  let cpu = process.cpuUsage();
  let heapBytes = 0;
  const check = (): void => {
    const { user, system } = process.cpuUsage(cpu);
    if (user + system < IDLE_CPU_MS_MAX * 1_000 && heapSize() > heapBytes + WORTHWHILE_BYTES_MIN) {
      gc({ type: "major", execution: "sync", flavor: "last-resort" });
      heapBytes = heapSize();
    }
    cpu = process.cpuUsage();
  };
  setInterval(check, CHECK_MS).unref();
};

/** @returns the bytes of V8's heap and of the buffers that it refers to */
const heapSize = (): number => {
  const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return heap + buffers;
};
