import type { Random } from "../support/random.ts";

/** One kind of trouble. It may overlap with others, and it ends by itself. */
export interface Fault {
  readonly name: string;
  /** How often it comes, against the others. */
  readonly weight: number;
  /** Makes the trouble and ends it. @returns false when there was nothing to trouble */
  readonly strike: (random: Random) => Promise<boolean>;
}

/** The service in hands that are not careful. */
export interface ChaosTarget {
  readonly name: "local" | "aws";
  /** Where it listens now: it moves with each start. */
  url(): string;
  /** Runs the operator's command for accounts. */
  accounts<Result>(args: string[]): Promise<Result>;
  readonly faults: readonly Fault[];
  /** Faults that this machine does not allow, and why. */
  readonly impossible: readonly string[];
  /** Sets the service's clock ahead of the machine's by so many milliseconds. */
  setClock(aheadMs: number): void;
  /** Has the sweeper come by, as it does from time to time. */
  sweep(): Promise<void>;
  /** Ends all faults that last. The service runs then. */
  calm(): Promise<void>;
  /** Lets the time pass after which nothing is left but what a record knows, and has it swept. @returns files that no record knows */
  orphans(): Promise<readonly string[]>;
  stop(): Promise<void>;
}
