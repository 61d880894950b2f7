import { sweepJobs } from "../../functions/events/sweep-jobs.ts";
import { context as localContext } from "../../local/context.ts";
import { tidying } from "../../local/retention/tidy.ts";

/**
 * A second sweeper on the data of a running service, twice concurrently. With `tidy` it erases expired records and
 * files without a record instead, then prints the remaining files without a record, or with `all` all files.
 */

const context = localContext();

if (process.argv[2] === "tidy") {
  await tidying(context)();
  for await (const { key } of context.files.list()) {
    const [kind, id = ""] = key.split("/");
    const known =
      kind === "uploads"
        ? (await context.uploads.getUpload(id)) !== undefined
        : (await context.jobs.getJob(id))?.result?.key === key;
    if (!known || process.argv[3] === "all") {
      console.log(key);
    }
  }
} else {
  const sweep = sweepJobs(context);
  // One of them may find the database busy; the next run retries.
  await Promise.allSettled([sweep(), sweep()]);
}
context.database.close();
