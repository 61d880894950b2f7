import { firstStatusDay, statusDay } from "../domain/status/engine-days.ts";
import { type StatusView, statusSchema, statusView } from "../domain/status/status-view.ts";
import { example, operation } from "./operation.ts";

/** Seconds that a client may use the answer. */
const FRESH_SECONDS = 60;

/** Returns the success and latency of each engine over the last 90 days. */
export const getStatus = operation({
  id: "getStatus",
  methods: ["GET"],
  path: "/api/v1/status",
  auth: "none",
  memoryMegabytes: 256,
  permissions: { tables: { quotas: ["Query"] }, only: { quotas: { records: "status" } } },
  tag: "Service",
  summary: "Retrieve status",
  description:
    "Returns the share of successful conversions and the latency per engine and day, over the last 90 days. Failures because of the file do not count. The latest conversions can take a few seconds to appear.",
  answers: { 200: { description: "Success and latency.", examples: ["serviceStatus"] } },
  examples: () => ({
    serviceStatus: example("ServiceStatus", "A service with one engine", {
      from: "2026-08-23",
      to: "2026-11-20",
      engines: [
        {
          engine: "sharp",
          success: 0.9998,
          median_ms: 64,
          p95_ms: 230,
          days: [{ date: "2026-11-20", success: 0.9998, median_ms: 64 }],
        },
      ],
    } satisfies StatusView),
  }),
  schemas: () => ({ ServiceStatus: statusSchema }),
  run:
    ({ engineDays }) =>
    async ({ now }) => {
      const from = firstStatusDay(now);
      const days = (await engineDays?.since(from)) ?? new Map();
      const body = statusView(days, { from, to: statusDay(now) });
      return { status: 200, headers: { "cache-control": `public, max-age=${FRESH_SECONDS}` }, body };
    },
});
