import { sweepJobs } from "../../functions/events/sweep-jobs.ts";
import { context as localContext } from "../../local/context.ts";
import { tidying } from "../../local/retention/tidy.ts";

/**
 * A second sweeper on the data of a service that runs, beside its own, and twice at once. With `tidy` it erases what has
 * expired and what no record knows instead; then it prints the files that no record knows still, with `all` all files.
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
  // One of them may find the database busy: the next run is its next try.
  await Promise.allSettled([sweep(), sweep()]);
}
context.database.close();
