/** Stops the service on signals, once, and lets running work finish. */

/** The part of `process` that receives signals. */
interface Signals {
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
}

export interface StopActions {
  /** Finishes running work, then exits. Called once. */
  readonly stop: () => void;
  /** Exits without finishing. */
  readonly stopAtOnce: () => void;
  /** Shows a message to the operator. */
  readonly print: (message: string) => void;
  /** @default performance.now */
  readonly now?: () => number;
}

/**
 * Signals within this time are one, in milliseconds: a terminal sends Ctrl-C to npm and to the service, and npm forwards
 * its own to the service; service managers also signal every process of a group.
 */
const DUPLICATE_MS_MAX = 2_000;

/**
 * The first signal stops the service. A later SIGINT is an operator who presses Ctrl-C again, and stops it at once; a
 * repeated SIGTERM never does, because programs send it.
 */
export const stopOnSignals = (signals: Signals, actions: StopActions): void => {
  const { stop, stopAtOnce, print, now = () => performance.now() } = actions;
  let latest: number | undefined;
  const receive = (signal: "SIGINT" | "SIGTERM"): void => {
    const isFirst = latest === undefined;
    const isDuplicate = latest !== undefined && now() - latest < DUPLICATE_MS_MAX;
    latest = isDuplicate ? latest : now();
    if (isFirst) {
      print("Finishing running requests and conversions. Press Ctrl-C again to stop at once.");
      stop();
    } else if (signal === "SIGINT" && !isDuplicate) {
      stopAtOnce();
    }
  };
  signals.on("SIGTERM", () => receive("SIGTERM"));
  signals.on("SIGINT", () => receive("SIGINT"));
};
