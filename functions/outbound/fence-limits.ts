/** Limits of one web page and everything that it loads. */
export interface FenceLimits {
  /** Bytes in both directions. */
  readonly bytesMax: number;
  readonly connectionsMax: number;
  /** Concurrent connections. */
  readonly openMax: number;
  readonly lookupsMax: number;
  /** Concurrent DNS lookups, which occupy threads that all requests of the service share. */
  readonly lookupsOpenMax: number;
  /** Milliseconds until all connections are closed. */
  readonly timeMs: number;
  /** Milliseconds until a connection must be established. */
  readonly connectMs: number;
}

/** A heavy page loads 20 MB in 300 requests to 60 hosts. */
export const FENCE_LIMITS: FenceLimits = {
  bytesMax: 100_000_000,
  connectionsMax: 600,
  openMax: 64,
  lookupsMax: 200,
  lookupsOpenMax: 2,
  timeMs: 120_000,
  connectMs: 5_000,
};

/** What the page has used, and which hosts it has contacted. */
export interface Tally {
  connections: number;
  lookups: number;
  bytesIn: number;
  bytesOut: number;
  /** Hosts that were connected to. */
  readonly reached: Set<string>;
  /** Hosts and ports that were refused. */
  readonly refused: Set<string>;
  /** The limit that was exceeded. After that, nothing is forwarded. */
  exceeded?: keyof FenceLimits;
}

/** Names that are kept; a page can invent any number. */
const NAMES_MAX = 100;

export const newTally = (): Tally => ({
  connections: 0,
  lookups: 0,
  bytesIn: 0,
  bytesOut: 0,
  reached: new Set(),
  refused: new Set(),
});

/** Adds a name to a set of limited size. */
export const note = (names: Set<string>, name: string): void => {
  if (names.size < NAMES_MAX) {
    names.add(name);
  }
};
