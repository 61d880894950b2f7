import type { UseDetailView } from "../../domain/accounts/account-views.ts";
import type { DayDetail } from "../../domain/accounts/use-details.ts";
import { example, operation } from "../operation.ts";
import { metered, useOnly } from "../permissions.ts";
import { requestedMonth } from "./requested-month.ts";
import { requireAccount } from "./require-account.ts";

const COLUMNS = [
  "date",
  "key_id",
  "source_format",
  "target_format",
  "status",
  "error_code",
  "jobs",
  "bytes_in",
  "bytes_out",
] as const satisfies readonly (keyof UseDetailView)[];

/** Returns the jobs of a month by day, API key, formats and outcome, with their bytes. */
export const getUsageDetails = operation({
  id: "getUsageDetails",
  methods: ["GET"],
  path: "/api/v1/account/use/details",
  aliases: { downloadUsage: "/api/v1/account/use/details.csv" },
  auth: "key",
  scope: "read",
  permissions: { tables: metered, only: useOnly },
  tag: "Account",
  area: "usage",
  summary: "Retrieve usage by key, format and error",
  description:
    "Returns the jobs that ended in a UTC month by day, API key, source format, target format and outcome, with the bytes of their source files and results. Each job is counted once, in the transaction that ends it. Jobs of test keys are not counted, nor those that ended before the server was updated to this version.",
  parameters: ["month"],
  answers: { 200: { description: "The jobs of the month.", examples: ["useDetails"] } },
  variants: () => ({
    downloadUsage: {
      summary: "Download usage by key, format and error",
      description: "Returns the rows of `getUsageDetails` as a CSV file with a header.",
      answers: { 200: { description: "The jobs of the month.", media: ["text/csv"] } },
    },
  }),
  errors: ["invalid_request"],
  examples: ({ loggedRequest: { keyId = null } }) => ({
    useDetails: example("UseDetails", "Two outcomes on one day", {
      month: "2026-11",
      rows: [
        detailView("2026-11", { ...SAMPLE, keyId: keyId ?? "", outcome: "completed", jobs: 3, bytesOut: 2_736_011 }),
        detailView("2026-11", { ...SAMPLE, keyId: keyId ?? "", outcome: "source_corrupt", jobs: 1, bytesOut: 0 }),
      ],
      truncated: false,
    }),
  }),
  run: (context) => async (request) => {
    const account = requireAccount(request);
    const month = requestedMonth(request);
    const { rows: found, truncated } = await context.quotas.detailsOf(account.id, month);
    const rows = found.map((row) => detailView(month, row));
    if (!request.path.endsWith(".csv")) {
      return { status: 200, body: { month, rows, truncated } };
    }
    const headers = {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="usage-${month}.csv"`,
    };
    return { status: 200, headers, bytes: Buffer.from(csvOf(rows)) };
  },
});

const SAMPLE = { day: 1, source: "heic", target: "jpg", bytesIn: 7_254_066 } as const;

const detailView = (month: string, detail: DayDetail): UseDetailView => {
  const { day, keyId, source, target, outcome, jobs, bytesIn, bytesOut } = detail;
  const isStatus = outcome === "completed" || outcome === "cancelled";
  return {
    date: `${month}-${String(day).padStart(2, "0")}`,
    key_id: keyId === "" ? null : keyId,
    source_format: source,
    target_format: target,
    status: isStatus ? outcome : "failed",
    error_code: isStatus ? null : outcome,
    jobs,
    bytes_in: bytesIn,
    bytes_out: bytesOut,
  };
};

/** RFC 4180. The values are IDs, codes and numbers, so none needs quotation marks. */
const csvOf = (rows: readonly UseDetailView[]): string =>
  [COLUMNS.join(","), ...rows.map((row) => COLUMNS.map((name) => row[name] ?? "").join(","))]
    .map((line) => `${line}\r\n`)
    .join("");
