import type { Job } from "../api.ts";
import { AnyformError } from "../http/errors.ts";
import { choiceOf, countOf } from "./arguments.ts";
import { UsageError } from "./exit.ts";
import type { Run } from "./run.ts";
import { clientFor } from "./settings.ts";
import { sizeText } from "./sizes.ts";
import { commandTable } from "./table/table.ts";

/** Read-only commands: they print a table, or the JSON of the API with `--json`. */

export const PAGE_ITEMS_MAX = 100;
export const PAGE_ITEMS_DEFAULT = 20;

export const showFormats = async ({ args }: Run): Promise<void> => {
  const [source] = args.words;
  const client = await clientFor({ key: "optional" });
  const target = args.text("to");
  const conversions = source !== undefined || target !== undefined;
  const list = await client.formats({ source, target, ...(conversions && { conversions }) }).catch((error: unknown) => {
    throw error instanceof AnyformError && error.status === 400 ? new UsageError(error.detail) : error;
  });
  if (args.flag("json")) {
    print(list);
    return;
  }
  if (list.conversions === undefined) {
    table(list.formats.map((each) => [each.id, each.family, directions(each), each.name]));
    return;
  }
  table(
    list.conversions.map(({ source: from, target, fidelity, options }) => [
      `${from} -> ${target}`,
      fidelity,
      Object.keys(options.properties ?? {}).join(" "),
    ]),
  );
};

const directions = ({ targets, writable }: { targets: readonly string[]; writable: boolean }): string =>
  `${targets.length > 0 ? "r" : "-"}${writable ? "w" : "-"}`;

export const showStatus = async ({ args, signal }: Run): Promise<void> => {
  const [id, ...more] = args.words;
  if (id === undefined || more.length > 0) {
    throw new UsageError("Missing job ID. Use `anyform status JOB`.");
  }
  const client = await clientFor({ key: "required" });
  const job = args.flag("wait") ? (await client.wait(id, { signal })).job : await client.status(id);
  if (args.flag("json")) {
    print(job);
    return;
  }
  table([jobRow(job)]);
  if (job.error !== null) {
    console.log(`${job.error.code}: ${job.error.detail}`);
  }
};

export const showJobs = async ({ args }: Run): Promise<void> => {
  const limit = countOf("limit", args.text("limit"), { max: PAGE_ITEMS_MAX, start: PAGE_ITEMS_DEFAULT });
  const status = choiceOf("status", args.text("status"), commandTable.jobs.options.status.choices);
  const search = args.text("search");
  const list = await (await clientFor({ key: "required" })).jobs({
    limit,
    status,
    ...(search?.startsWith("job_") ? { jobId: search } : { filename: search }),
    sourceFormat: args.text("source"),
    targetFormat: args.text("target"),
    keyId: args.text("key-id"),
    createdAfter: args.text("since"),
    createdBefore: args.text("before"),
  });
  if (args.flag("json")) {
    print(list);
    return;
  }
  table(list.jobs.map(jobRow));
};

const jobRow = (job: Job): string[] => [
  job.id,
  job.status,
  `${job.progress} %`,
  `${job.source_format} -> ${job.target_format}`,
  job.result?.filename ?? "",
  job.result === null ? "" : sizeText(job.result.size),
  job.created_at,
];

export const print = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

/** Prints the rows in aligned columns. */
export const table = (rows: readonly (readonly string[])[]): void => {
  const widths = rows.reduce<number[]>((all, row) => row.map((cell, at) => Math.max(all[at] ?? 0, cell.length)), []);
  for (const row of rows) {
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
};
