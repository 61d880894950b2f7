import { Readable } from "node:stream";
import { isUnfinished, type Job, jobVersion, jobView } from "../../domain/jobs/job.ts";
import { STREAM_COMMENT_MS, STREAM_MS_MAX, STREAM_RETRY_MS, WAIT_SECONDS_MAX } from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import { waitForJob } from "../middleware/wait.ts";
import type { ApiRequest } from "../request.ts";

/** Server-sent events of a job (HTML Standard, 9.2.5). */

/** How long clients wait before they reconnect. The first line of every stream. */
const RETRY_LINE = `retry: ${STREAM_RETRY_MS}\n\n`;

const COMMENT = ": waiting\n\n";

/** The job as the client sees it. JSON has no line breaks, which would end the field. */
export interface JobEvent {
  readonly id: string;
  readonly text: string;
}

export const eventOf = (context: Pick<Context, "clock">, { baseUrl }: ApiRequest<unknown>, job: Job): JobEvent => {
  const view = jobView(job, baseUrl, context.clock());
  const id = jobVersion(view);
  return { id, text: `id: ${id}\nevent: job\ndata: ${JSON.stringify(view)}\n\n` };
};

/** @returns the ID of the last event that the client has received */
export const lastEventOf = ({ headers }: ApiRequest<unknown>): string | undefined => headers["last-event-id"];

/**
 * Waits like a status request, for deployments that cannot stream.
 * @returns the job, once it differs from the last event of the client; only a comment when the time is over
 */
export const nextEvent = async (context: Context, request: ApiRequest<unknown>, job: Job): Promise<string> => {
  const last = lastEventOf(request);
  const isNew = (current: Job): boolean => eventOf(context, request, current).id !== last;
  const latest = await waitForJob(context, job, { milliseconds: WAIT_SECONDS_MAX * 1_000, enough: isNew });
  return `${RETRY_LINE}${isNew(latest) ? eventOf(context, request, latest).text : COMMENT}`;
};

type StreamContext = Pick<Context, "clock" | "jobs" | "notifications"> & { readonly streams: Streams };
type Streams = NonNullable<Context["streams"]>;

/**
 * @returns the events as a body that is sent while the job changes. It ends after the last event, after the longest
 * time, when the job is deleted, and when the service shuts down.
 * @throws RequestError when too many streams are open
 */
export const eventStream = (context: StreamContext, request: ApiRequest<unknown>, job: Job): Readable => {
  const release = context.streams.open(request.accountId);
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, context.streams.closing]);
  const events = eventsUntil(context, request, { job, signal });
  const stream = new Readable({
    read: () => {
      events.next().then(
        ({ done, value }) => stream.push(done ? null : value),
        (error: Error) => stream.destroy(error),
      );
    },
    destroy: (error, callback) => {
      gone.abort();
      release();
      callback(error);
    },
  });
  return stream;
};

const eventsUntil = async function* (
  context: StreamContext,
  request: ApiRequest<unknown>,
  { job, signal }: { readonly job: Job; readonly signal: AbortSignal },
): AsyncGenerator<string, void, undefined> {
  const end = context.clock() + STREAM_MS_MAX;
  const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  let sent = lastEventOf(request);
  yield RETRY_LINE;
  while (!signal.aborted) {
    const left = Math.max(0, Math.min(end - context.clock(), STREAM_COMMENT_MS));
    // Subscribed before the read, so that a change in between is not missed.
    const changed = context.notifications.changed(job.id, left);
    const current = await context.jobs.getJob(job.id);
    if (current === undefined) {
      return;
    }
    const { id, text } = eventOf(context, request, current);
    yield id === sent ? COMMENT : text;
    if (!isUnfinished(current) || left === 0) {
      return;
    }
    sent = id;
    await Promise.race([changed, aborted]);
  }
};
