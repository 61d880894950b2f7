import { AnyformError } from "../http/errors.ts";
import type { Account, UsageDetails } from "../node.ts";
import { UsageError } from "./exit.ts";
import type { Run } from "./run.ts";
import { clientFor, readSettings, settingsPath } from "./settings.ts";
import { print, table } from "./show.ts";
import { sizeText } from "./sizes.ts";

/** Commands about the account, its usage and its key. */

export const showAccount = async ({ args }: Run): Promise<void> => {
  const account = await (await clientFor({ key: "required" })).account();
  if (args.flag("json")) {
    print(account);
    return;
  }
  table([
    ["account", account.id],
    ["plan", account.plan],
    ["usage", usageLine(account)],
    ["retention", `${account.retention_hours} h`],
  ]);
};

const usageLine = ({ quota: { limit, used, remaining, resets_at } }: Account): string =>
  limit === null || remaining === null
    ? `${numberText(used)} this month, unlimited`
    : `${numberText(used)} of ${numberText(limit)}, ${numberText(remaining)} remaining until ${resets_at}`;

/** @returns the number with separators: `5,000` */
const numberText = (value: number): string => value.toLocaleString("en-US");

export const showUsage = async ({ args }: Run): Promise<void> => {
  const month = args.text("month");
  const client = await clientFor({ key: "required" });
  if (args.flag("details")) {
    showDetails(await client.usageDetails({ month }).catch(explainMonth), args.flag("json"));
    return;
  }
  const use = await client.usage({ month }).catch(explainMonth);
  if (args.flag("json")) {
    print(use);
    return;
  }
  console.log(`${use.month}: ${usedText(use)}`);
  if (month === undefined) {
    const { quota } = await client.account();
    if (quota.remaining !== null) {
      console.log(`${numberText(quota.remaining)} remaining until ${quota.resets_at}`);
    }
  }
  const columns = ["upload", "convert", "download", "completed", "failed", "cancelled"] as const;
  const days = use.days.filter((day) => columns.some((column) => day[column] > 0));
  if (days.length > 0) {
    table([
      ["date", ...columns],
      ...days.map((day) => [day.date, ...columns.map((column) => numberText(day[column]))]),
    ]);
  }
};

const explainMonth = (error: unknown): never => {
  throw error instanceof AnyformError && error.status === 400 ? new UsageError(error.detail) : error;
};

const showDetails = (details: UsageDetails, isJson: boolean): void => {
  if (isJson) {
    print(details);
    return;
  }
  const rows = details.rows.map(({ date, key_id, source_format, target_format, ...row }) => [
    date,
    key_id ?? "dashboard",
    `${source_format} -> ${target_format}`,
    row.error_code ?? row.status,
    numberText(row.jobs),
    sizeText(row.bytes_in),
    sizeText(row.bytes_out),
  ]);
  table([["date", "key", "formats", "outcome", "jobs", "in", "out"], ...rows]);
  if (details.truncated) {
    console.log("More rows are not listed.");
  }
};

const usedText = ({ used, limit }: { readonly used: number; readonly limit: number | null }): string => {
  if (limit === null) {
    return `${numberText(used)} requests (unlimited)`;
  }
  const share = limit === 0 ? 100 : Math.round((used / limit) * 100);
  return `${numberText(used)} of ${numberText(limit)} requests (${share} %)`;
};

/** Characters of the key that the dashboard shows, too. The rest is never printed. */
const PREFIX_CHARACTERS = "af_live_".length + 6;

/** The service lets only a signed-in person manage keys, so that a leaked key cannot create others. */
export const showKeys = async ({ args }: Run): Promise<void> => {
  const { url, apiKey = "", source } = await readSettings();
  const { id, plan, quota } = await (await clientFor({ key: "required" })).account();
  const view = {
    prefix: apiKey.slice(0, PREFIX_CHARACTERS),
    kind: apiKey.startsWith("af_test_") ? "test" : "live",
    source: source === "environment" ? "ANYFORM_API_KEY" : settingsPath(),
    url,
    account_id: id,
    plan,
    manage_url: `${url.replace(/\/+$/, "")}/keys`,
  };
  if (args.flag("json")) {
    print({ ...view, quota });
    return;
  }
  table([
    ["key", `${view.prefix}… (${view.kind})`],
    ["from", view.source],
    ["service", view.url],
    ["account", `${view.account_id}, plan ${view.plan}`],
  ]);
  console.log(`Manage keys, their permissions and expiry at ${view.manage_url}`);
};
