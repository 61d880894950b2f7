import { QUOTA_SHARDS } from "../../functions/domain/tables.ts";
import { printTable } from "../support/figures.ts";
import { type Load, type Outcome, type SettingId, settings, simulate, type Values } from "./cloud-model.ts";
import { contention } from "./contention.ts";

/**
 * `node bench scale`: an hour of 1, 100 and 10,000 conversions per second against the limits of Lambda, API Gateway,
 * DynamoDB and S3. The first limit that is exceeded is raised to what the load needs, and the hour is repeated until no
 * limit is exceeded. `docs/scale.md` describes the results.
 */

/** Headroom over what a load needs. */
const HEADROOM = 1.5;
const ROUNDS_MAX = 60;

/** Nine of ten conversions are images, PDF and data; the durations on Lambda are from `node bench cost`. */
const MIX: Omit<Load, "perSecond"> = {
  lanes: {
    fast: { share: 0.8, seconds: 0.9 },
    data: { share: 0.1, seconds: 0.5 },
    documents: { share: 0.08, seconds: 1 },
    media: { share: 0.02, seconds: 15 },
    web: { share: 0, seconds: 6 },
  },
  requests: 4,
  requestSeconds: 0.07,
  tableWrites: 14,
  countWrites: 8,
};

const PER_SECOND = [1, 100, 10_000];

/** Whether one stack cannot raise the limit further. */
const exhausted = ({ setting }: NonNullable<Outcome["first"]>, now: Values): boolean =>
  now[setting] >= settings[setting].max || setting === "prefixPuts";

const values = (): Record<SettingId, number> =>
  Object.fromEntries(Object.entries(settings).map(([id, { value }]) => [id, value])) as Record<SettingId, number>;

const raised = new Set<SettingId>();

for (const perSecond of PER_SECOND) {
  const now = values();
  const rows: string[][] = [];
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const outcome = simulate({ ...MIX, perSecond }, now as Values);
    const { first, refused, waitSeconds, functions } = outcome;
    const results = [`${(100 * refused).toFixed(1)} %`, waitSeconds.toFixed(1), functions.toFixed(0)];
    if (first === undefined) {
      rows.push(["no limit exceeded", "", "", "", ...results]);
      break;
    }
    const { second } = first;
    const setting = exhausted(first, now) ? "stacks" : first.setting;
    const next =
      setting === "stacks" ? now.stacks + 1 : Math.ceil(Math.min(settings[setting].max, first.needed * HEADROOM));
    const row = [settings[setting].name, String(second), String(now[setting]), String(next), ...results];
    const before = rows.at(-1);
    // One more stack is often not enough: only the last number matters.
    if (before !== undefined && setting === "stacks" && before[0] === row[0]) {
      rows[rows.length - 1] = row.with(2, before[2] ?? "");
    } else {
      rows.push(row);
    }
    now[setting] = next;
    raised.add(setting);
  }
  console.log(`\n${perSecond} conversions per second:\n`);
  printTable([["first limit", "after s", "value", "raised to", "rejected", "wait s", "functions"], ...rows]);
}

console.log("\nHow to raise each limit:\n");
for (const setting of raised) {
  console.log(`${settings[setting].name}: ${settings[setting].how}`);
}

/** How long a transaction holds its records is not documented. */
const HELD_MS = [5, 10, 20];
const ACCOUNT_RATES = [10, 25, 50, 100, 125];

console.log("\nCounts of one account: conversions that fail, and the 99th percentile of a count's delay:\n");
printTable([
  ["records", "held ms", ...ACCOUNT_RATES.map((rate) => `${rate} per second`)],
  ...[1, QUOTA_SHARDS].flatMap((records) =>
    HELD_MS.map((heldMs) => [
      String(records),
      String(heldMs),
      ...ACCOUNT_RATES.map((conversionsPerSecond) => {
        const { failed, delayMs } = contention({ conversionsPerSecond, records, heldMs });
        return `${(100 * failed).toFixed(2)} %, ${delayMs.toFixed(0)} ms`;
      }),
    ]),
  ),
]);
