import type { Job } from "../api.ts";
import { AnyformError } from "../http/errors.ts";
import type { Service } from "../http/request.ts";
import { pollOnce, sleep } from "../http/retry.ts";
import { chunksOf } from "../transfer/input.ts";

/** Follows a job by its server-sent events, or by status requests to a service that does not have them. */

export interface Following {
  readonly signal?: AbortSignal | undefined;
}

/** An event of the stream (HTML Standard, 9.2.6). */
interface StreamEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Longest time of a stream in seconds; the service ends it earlier. */
const STREAM_SECONDS_MAX = 600;
/** Pause between streams, as the service requests with `retry`. */
const RECONNECT_MS = 1_000;
/** Streams for one job: at one second each, longer than any job. */
const STREAMS_MAX = 10_000;
/** Characters of an event: a job has a few thousand. */
const EVENT_CHARACTERS_MAX = 1_000_000;
/** Seconds that a status request waits for a change of status, when there are no events. */
const POLL_SECONDS = 2;

/**
 * @returns the job now, and at each change of its status or progress; ends after the state in which the job ended.
 * Interrupted streams are continued
 * @throws AnyformError
 */
export const jobEvents = async function* (
  service: Service,
  id: string,
  { signal }: Following = {},
): AsyncGenerator<Job, void, undefined> {
  let last: string | undefined;
  for (let streams = 0; streams < STREAMS_MAX; streams += 1) {
    const response = await open(service, id, { last, signal });
    if (response === "unsupported") {
      yield* polled(service, id, { signal });
      return;
    }
    if (response.status === 204) {
      return;
    }
    try {
      for await (const event of eventsIn(response)) {
        const job = JSON.parse(event.data) as Job;
        last = event.id;
        yield job;
        if (!isRunning(job)) {
          return;
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      // A stream can be interrupted at any point; the next one continues after the last complete event.
      if (error instanceof AnyformError) {
        throw error;
      }
    }
    await sleep(RECONNECT_MS, signal);
  }
};

/** Statuses of an older service. A job that does not exist is a 404 as well; polling reports it. */
const UNSUPPORTED: ReadonlySet<number> = new Set([404, 405]);

const open = async (
  service: Service,
  id: string,
  { last, signal }: { readonly last: string | undefined; readonly signal: AbortSignal | undefined },
): Promise<Response | "unsupported"> => {
  const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
  const call = { to: `convert/${encodeURIComponent(id)}/events`, headers, timeoutSeconds: STREAM_SECONDS_MAX, signal };
  try {
    return await service.repeat(() => service.once(call), { signal });
  } catch (error) {
    if (error instanceof AnyformError && UNSUPPORTED.has(error.status)) {
      return "unsupported";
    }
    throw error;
  }
};

const polled = async function* (
  service: Service,
  id: string,
  { signal }: Following,
): AsyncGenerator<Job, void, undefined> {
  let shown = "";
  for (let polls = 0; polls < STREAMS_MAX; polls += 1) {
    const to = `convert/${encodeURIComponent(id)}/status`;
    const waitSeconds = polls === 0 ? 0 : POLL_SECONDS;
    const known = shown;
    const job = await pollOnce(() => service.json<Job>({ to, waitSeconds, signal }), {
      hasChanged: (next) => JSON.stringify(next) !== known,
      signal,
    });
    const text = JSON.stringify(job);
    if (text !== shown) {
      shown = text;
      yield job;
    }
    if (!isRunning(job)) {
      return;
    }
  }
};

const isRunning = ({ status }: Job): boolean => status === "queued" || status === "processing";

/** @returns the complete events named `job`; others are for later versions */
const eventsIn = async function* ({ body }: Response): AsyncGenerator<StreamEvent, void, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body === null ? [] : chunksOf(body)) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split(/\r\n\r\n|\n\n|\r\r/);
    text = blocks.pop() ?? "";
    if (text.length > EVENT_CHARACTERS_MAX) {
      throw new AnyformError({ code: "unexpected_answer", detail: "An event of the service is too long." });
    }
    yield* blocks.flatMap(eventOf);
  }
};

const eventOf = (block: string): StreamEvent[] => {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
    const before = name === "data" ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  const data = fields.get("data");
  return data === undefined || fields.get("event") !== "job" ? [] : [{ id: fields.get("id"), data }];
};
