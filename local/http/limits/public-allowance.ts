import { networksOf } from "../../../functions/domain/networks.ts";

/** Limits the rate of requests that need no key. */
export interface PublicAllowance {
  /** @returns the seconds to wait before the next request; 0 if this one is accepted and counted */
  take(address: string): number;
}

export interface AllowanceSettings {
  /** Requests per minute of one client, all of which can arrive at once. Larger IPv6 networks get several times as many. */
  readonly perMinute: number;
  /** @default Date.now */
  readonly clock?: () => number;
}

/**
 * Maximum number of networks that are counted. Each takes about 200 bytes. If there are more, the one that was counted
 * first starts again: an attacker with that many networks is not limited by network anyway.
 */
const NETWORKS_MAX = 20_000;
const MINUTE_MS = 60_000;

interface Bucket {
  left: number;
  at: number;
}

/** A token bucket for each network: it fills up within a minute. */
export const publicAllowance = ({ perMinute, clock = Date.now }: AllowanceSettings): PublicAllowance => {
  const buckets = new Map<string, Bucket>();
  const bucketOf = (name: string, limit: number, now: number): Bucket => {
    const bucket = buckets.get(name) ?? { left: limit, at: now };
    const refilled = (Math.max(0, now - bucket.at) / MINUTE_MS) * limit;
    bucket.left = Math.min(limit, bucket.left + refilled);
    bucket.at = now;
    buckets.set(name, bucket);
    return bucket;
  };
  return {
    take: (address) => {
      const now = clock();
      const networks = networksOf(address).map(({ name, shares }) => ({
        limit: perMinute * shares,
        bucket: bucketOf(name, perMinute * shares, now),
      }));
      for (const name of buckets.keys()) {
        if (buckets.size <= NETWORKS_MAX) {
          break;
        }
        buckets.delete(name);
      }
      const waits = networks.map(({ bucket, limit }) => ((1 - bucket.left) / limit) * 60);
      const seconds = Math.max(0, ...waits);
      if (seconds > 0) {
        return Math.ceil(seconds);
      }
      for (const { bucket } of networks) {
        bucket.left -= 1;
      }
      return 0;
    },
  };
};
