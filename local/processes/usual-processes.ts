/** Cores whose conversions of small images keep one process busy, and memory of a machine for each process. */
const CORES_PER_PROCESS = 4;
const MEMORY_PER_PROCESS = 2_000_000_000;

/** The machine that the service runs on, or its container. */
export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
  readonly platform: NodeJS.Platform;
}

/** @returns how many processes accept requests by default. Only Linux distributes the connections to a port among processes */
export const usualProcesses = ({ cores, memoryBytes, platform }: Machine): number => {
  const fitting = Math.floor(Math.min(cores / CORES_PER_PROCESS, memoryBytes / MEMORY_PER_PROCESS));
  return platform === "linux" ? Math.max(1, fitting) : 1;
};
