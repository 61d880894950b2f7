import { statfs } from "node:fs/promises";
import { type Operating, operatorsIn } from "../../functions/domain/operators/operating.ts";
import { laneLoads } from "../metrics/lane-loads.ts";
import type { Settings } from "../settings.ts";
import type { Database } from "../sqlite/database.ts";
import { OWNER_EMAIL } from "./first-key.ts";

interface Parts {
  readonly settings: Settings;
  readonly database: Database;
  readonly clock: () => number;
  readonly version: string;
}

/** @returns what the operators of this machine see: by default its owner, whose account `npm start` creates */
export const localOperating = ({ settings, database, clock, version }: Parts): Operating => {
  const lanes = laneLoads(database, clock);
  return {
    operators: operatorsIn(settings.operators ?? OWNER_EMAIL),
    version,
    settings: settingsInForce(settings),
    lanes: async () => lanes(),
    deadLetters: async () => [{ queue: "jobs", messages: lanes().reduce((sum, { dead }) => sum + dead, 0) }],
    disk: async () => {
      const { bavail, blocks, bsize } = await statfs(settings.dataDir);
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    },
  };
};

/** Secrets are only said to be set. */
const settingsInForce = (settings: Settings): ReadonlyMap<string, string> => {
  const { metricsAccess } = settings;
  return new Map(
    Object.entries({
      HOST: settings.host,
      PORT: String(settings.port),
      DATA_DIR: settings.dataDir,
      ANYFORM_PUBLIC_URL: settings.publicUrl ?? "",
      ANYFORM_OPERATORS: settings.operators ?? OWNER_EMAIL,
      ANYFORM_ALLOW_ADDRESSES: settings.importAllowed.join(", "),
      ANYFORM_WAITING_JOBS: String(settings.waitingJobsMax),
      ANYFORM_MEMORY: `${Math.round(settings.memoryBytes / 1_000_000)}m`,
      ANYFORM_API_PROCESSES: String(settings.apiProcesses),
      ANYFORM_METRICS: typeof metricsAccess === "object" ? "with a token" : metricsAccess,
      ANYFORM_ISOLATION: settings.isolation,
      ANYFORM_STRIPE_PRICE: settings.stripe?.price ?? "",
      ANYFORM_MAIL_FROM: settings.smtp?.from ?? "",
      ANYFORM_VISITORS: String(settings.visitors),
      ANYFORM_WEB_PAGES: String(settings.webPages),
      ANYFORM_GOTENBERG: String(settings.gotenberg),
      ANYFORM_HOSTS: settings.hosts.join(", "),
      ANYFORM_TRUSTED_PROXIES: String(settings.trustedProxies),
      ANYFORM_CONNECTIONS_PER_ADDRESS: String(settings.connectionsPerAddressMax),
      ANYFORM_PUBLIC_REQUESTS: String(settings.publicRequestsPerMinute),
    }),
  );
};
