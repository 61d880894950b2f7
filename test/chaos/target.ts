import type { Random } from "../support/random.ts";

/** One kind of fault. Faults may overlap, and each ends by itself. */
export interface Fault {
  readonly name: string;
  /** Relative frequency. */
  readonly weight: number;
  /** Causes the fault and ends it. @returns false if there was nothing to affect */
  readonly strike: (random: Random) => Promise<boolean>;
}

/** The service under faults. */
export interface ChaosTarget {
  readonly name: "local" | "aws";
  /** Its current URL, which changes with each start. */
  url(): string;
  /** Runs the operator's command for accounts. */
  accounts<Result>(args: string[]): Promise<Result>;
  readonly faults: readonly Fault[];
  /** Faults that this machine does not allow, and why. */
  readonly impossible: readonly string[];
  /** Sets the service's clock this many milliseconds ahead of the machine's. */
  setClock(aheadMs: number): void;
  /** Runs the sweeper, as the schedule does. */
  sweep(): Promise<void>;
  /** Ends all lasting faults and ensures that the service runs. */
  calm(): Promise<void>;
  /** Advances time until only files with a record should remain, and sweeps. @returns files without a record */
  orphans(): Promise<readonly string[]>;
  stop(): Promise<void>;
}
