/** Entry point of the container as a Fargate task: converts the file of one message, and ends. */

const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());

const { runTask } = await import("../../functions/events/convert-task.ts");
await runTask(process.env.ANYFORM_MESSAGE ?? "", stop.signal);
// The pool of converters would keep the process alive.
process.exit();
