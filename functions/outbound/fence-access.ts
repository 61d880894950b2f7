import { promises as dns, type LookupAddress } from "node:dns";
import { connect, isIP, type Socket } from "node:net";
import type { Reaches } from "./addresses.ts";
import { type FenceLimits, newTally, note, type Tally } from "./fence-limits.ts";
import type { Target } from "./fence-targets.ts";

/** Resolves a host name to all its addresses. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** The resolver of the system, which URL imports use as well. */
const systemResolve: Resolve = (host) => dns.lookup(host, { all: true });

export interface AccessRules {
  readonly reaches: Reaches;
  readonly limits: FenceLimits;
  /** @default the resolver of the system */
  readonly resolve?: Resolve;
}

/** The only place that opens connections for a web page. */
export interface Access {
  readonly tally: Tally;
  /**
   * Connects to a checked address of the target. Each name is resolved once, so that its addresses cannot change later.
   * @throws Error when the target is refused, unreachable, or a limit is exceeded
   */
  connect(target: Target): Promise<Socket>;
  /** Counts the bytes of a stream and closes everything when there are too many. */
  count(direction: "bytesIn" | "bytesOut", bytes: number): void;
  /** Closes all connections. Later ones are refused. */
  close(): void;
}

export const access = ({ reaches, limits, resolve = systemResolve }: AccessRules): Access => {
  const tally = newTally();
  const open = new Set<Socket>();
  const known = new Map<string, Promise<readonly LookupAddress[]>>();
  const turn = takingTurns(limits.lookupsOpenMax);
  let closed = false;
  const close = (): void => {
    closed = true;
    for (const socket of open) {
      socket.destroy();
    }
  };
  const exceed = (limit: keyof FenceLimits): Error => {
    tally.exceeded ??= limit;
    close();
    return new Error(`The limit ${limit} is exceeded.`);
  };
  const lookUp = (host: string): Promise<readonly LookupAddress[]> => {
    const family = isIP(host);
    if (family !== 0) {
      return Promise.resolve([{ address: host, family }]);
    }
    const earlier = known.get(host);
    if (earlier !== undefined) {
      return earlier;
    }
    tally.lookups += 1;
    const answer = tally.lookups > limits.lookupsMax ? Promise.reject(exceed("lookupsMax")) : turn(() => resolve(host));
    known.set(host, answer);
    return answer;
  };
  const timer = setTimeout(() => exceed("timeMs"), limits.timeMs).unref();
  return {
    tally,
    connect: async ({ host, port }) => {
      tally.connections += 1;
      if (closed || tally.connections > limits.connectionsMax) {
        throw closed ? new Error("The proxy is closed.") : exceed("connectionsMax");
      }
      const addresses = await lookUp(host);
      if (addresses.length === 0 || !addresses.every(({ address }) => reaches(address, port))) {
        note(tally.refused, `${host}:${port}`);
        throw new Error("The address is not allowed.");
      }
      if (closed || open.size >= limits.openMax) {
        throw new Error("Too many concurrent connections.");
      }
      const socket = connectTo(addresses, port);
      open.add(socket.once("close", () => open.delete(socket)));
      await established(socket, limits.connectMs);
      note(tally.reached, host);
      return socket;
    },
    count: (direction, bytes) => {
      tally[direction] += bytes;
      if (tally.bytesIn + tally.bytesOut > limits.bytesMax) {
        exceed("bytesMax");
      }
    },
    close: () => {
      clearTimeout(timer);
      close();
    },
  };
};

/** Tries the addresses one after another, as browsers do; the name itself is never resolved again. */
const connectTo = (addresses: readonly LookupAddress[], port: number): Socket =>
  connect({
    host: "checked.invalid",
    port,
    autoSelectFamily: true,
    lookup: (_, { all }, callback) => {
      const [first] = addresses;
      if (all || first === undefined) {
        callback(null, [...addresses]);
      } else {
        callback(null, first.address, first.family);
      }
    },
  });

const established = (socket: Socket, milliseconds: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => socket.destroy(new Error("The connection timed out.")), milliseconds);
    socket.once("connect", () => {
      clearTimeout(late);
      resolve();
    });
    // Remains, because a later error without a listener would end the process.
    socket.on("error", reject);
    socket.once("close", () => {
      clearTimeout(late);
      reject(new Error("The connection was closed."));
    });
  });

/** @returns a function that runs at most this number of tasks concurrently */
const takingTurns = (concurrent: number) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= concurrent) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
};
