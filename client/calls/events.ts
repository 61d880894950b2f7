import type { Job, Pipeline } from "../api.ts";
import { AnyformError } from "../http/errors.ts";
import type { Service } from "../http/request.ts";
import { pollOnce, sleep } from "../http/retry.ts";
import { chunksOf } from "../transfer/input.ts";

/** Follows a job or pipeline by its server-sent events, or by status requests to a service that does not have them. */

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
/** Streams for one job or pipeline: at one second each, longer than any job. */
const STREAMS_MAX = 10_000;
/** Characters of an event: a job has a few thousand, a pipeline up to 20 times as many. */
const EVENT_CHARACTERS_MAX = 1_000_000;
/** Seconds that a status request waits for a change of status, when there are no events. */
const POLL_SECONDS = 2;

/** What is followed. */
interface Followed<State> {
  /** The name of its events. */
  readonly name: "job" | "pipeline";
  /** The paths of its events and its status. */
  readonly events: string;
  readonly status: string;
  isRunning(state: State): boolean;
}

/**
 * @returns the job now, and at each change of its status or progress; ends after the state in which the job ended.
 * Interrupted streams are continued
 * @throws AnyformError
 */
export const jobEvents = (
  service: Service,
  id: string,
  following: Following = {},
): AsyncGenerator<Job, void, undefined> => {
  const path = `convert/${encodeURIComponent(id)}`;
  const isRunning = ({ status }: Job): boolean => status === "queued" || status === "processing";
  return follow(service, { name: "job", events: `${path}/events`, status: `${path}/status`, isRunning }, following);
};

/** @returns the pipeline now, and at each change of its steps, until all have ended @throws AnyformError */
export const pipelineEvents = (
  service: Service,
  id: string,
  following: Following = {},
): AsyncGenerator<Pipeline, void, undefined> => {
  const path = `pipelines/${encodeURIComponent(id)}`;
  const isRunning = ({ finished_at }: Pipeline): boolean => finished_at === null;
  return follow(service, { name: "pipeline", events: `${path}/events`, status: path, isRunning }, following);
};

const follow = async function* <State>(
  service: Service,
  followed: Followed<State>,
  { signal }: Following,
): AsyncGenerator<State, void, undefined> {
  let last: string | undefined;
  for (let streams = 0; streams < STREAMS_MAX; streams += 1) {
    const response = await open(service, followed.events, { last, signal });
    if (response === "unsupported") {
      yield* polled(service, followed, { signal });
      return;
    }
    if (response.status === 204) {
      return;
    }
    try {
      for await (const event of eventsIn(response, followed.name)) {
        const state = JSON.parse(event.data) as State;
        last = event.id;
        yield state;
        if (!followed.isRunning(state)) {
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
  to: string,
  { last, signal }: { readonly last: string | undefined; readonly signal: AbortSignal | undefined },
): Promise<Response | "unsupported"> => {
  const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
  const call = { to, headers, timeoutSeconds: STREAM_SECONDS_MAX, signal };
  try {
    return await service.repeat(() => service.once(call), { signal });
  } catch (error) {
    if (error instanceof AnyformError && UNSUPPORTED.has(error.status)) {
      return "unsupported";
    }
    throw error;
  }
};

const polled = async function* <State>(
  service: Service,
  { status: to, isRunning }: Followed<State>,
  { signal }: Following,
): AsyncGenerator<State, void, undefined> {
  let shown = "";
  for (let polls = 0; polls < STREAMS_MAX; polls += 1) {
    const waitSeconds = polls === 0 ? 0 : POLL_SECONDS;
    const known = shown;
    const state = await pollOnce(() => service.json<State>({ to, waitSeconds, signal }), {
      hasChanged: (next) => JSON.stringify(next) !== known,
      signal,
    });
    const text = JSON.stringify(state);
    if (text !== shown) {
      shown = text;
      yield state;
    }
    if (!isRunning(state)) {
      return;
    }
  }
};

/** @returns the complete events with the name; others are for later versions */
const eventsIn = async function* ({ body }: Response, name: string): AsyncGenerator<StreamEvent, void, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body === null ? [] : chunksOf(body)) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split(/\r\n\r\n|\n\n|\r\r/);
    text = blocks.pop() ?? "";
    if (text.length > EVENT_CHARACTERS_MAX) {
      throw new AnyformError({ code: "unexpected_answer", detail: "An event of the service is too long." });
    }
    yield* blocks.flatMap((block) => eventOf(block, name));
  }
};

const eventOf = (block: string, wanted: string): StreamEvent[] => {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
    const before = name === "data" ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  const data = fields.get("data");
  return data === undefined || fields.get("event") !== wanted ? [] : [{ id: fields.get("id"), data }];
};
