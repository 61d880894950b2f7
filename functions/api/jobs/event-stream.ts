import { Readable } from "node:stream";
import { viewVersion } from "../../domain/jobs/job.ts";
import { STREAM_COMMENT_MS, STREAM_MS_MAX, STREAM_RETRY_MS, WAIT_SECONDS_MAX } from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import { withinWaits } from "../middleware/wait.ts";
import type { Answer, ApiRequest } from "../request.ts";

/** Server-sent events of a job or a pipeline (HTML Standard, 9.2.5). */

/** How long clients wait before they reconnect. The first line of every stream. */
const RETRY_LINE = `retry: ${STREAM_RETRY_MS}\n\n`;

const COMMENT = ": waiting\n\n";

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  // nginx buffers responses by default.
  "x-accel-buffering": "no",
};

/** What the events show: each of its views that differs from the one before is an event. */
export interface Watched<State> {
  /** The name of the events. */
  readonly name: "job" | "pipeline";
  readonly id: string;
  /** The state as the client sees it. */
  view(state: State): object;
  /** @returns undefined when it was deleted */
  read(): Promise<State | undefined>;
  /** Resolves with the next change, or after this time. */
  changed(state: State, milliseconds: number): Promise<void>;
  /** Whether it can still change. */
  isUnfinished(state: State): boolean;
}

/** @returns the events from a state on. @throws RequestError `rate_limited` when too many streams are open */
export const answerEvents = async <State>(
  context: Context,
  request: ApiRequest<unknown>,
  { watched, state }: { readonly watched: Watched<State>; readonly state: State },
): Promise<Answer> => {
  if (!watched.isUnfinished(state) && eventOf(watched, state).id === lastEventOf(request)) {
    return { status: 204 };
  }
  if (request.method === "HEAD") {
    return { status: 200, headers };
  }
  const { streams } = context;
  return streams === undefined
    ? { status: 200, headers, bytes: Buffer.from(await nextEvent(context, request, { watched, state })) }
    : { status: 200, headers, stream: eventStream({ ...context, streams }, request, { watched, state }) };
};

/** JSON has no line breaks, which would end the field. */
const eventOf = <State>(
  { name, view }: Watched<State>,
  state: State,
): { readonly id: string; readonly text: string } => {
  const shown = view(state);
  const id = viewVersion(shown);
  return { id, text: `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(shown)}\n\n` };
};

/** @returns the ID of the last event that the client has received */
const lastEventOf = ({ headers: { "last-event-id": last } }: ApiRequest<unknown>): string | undefined => last;

/**
 * Waits like a status request, for deployments that cannot stream.
 * @returns the event, once it differs from the last one of the client; only a comment when the time is over
 */
const nextEvent = async <State>(
  context: Context,
  request: ApiRequest<unknown>,
  { watched, state }: { readonly watched: Watched<State>; readonly state: State },
): Promise<string> => {
  const last = lastEventOf(request);
  const isNew = (current: State): boolean => eventOf(watched, current).id !== last;
  const waiting = { id: watched.id, accountId: request.accountId, state };
  const latest = isNew(state)
    ? state
    : (
        await withinWaits(context, waiting, async () => ({
          ...waiting,
          state: await newState(context, watched, { state, isNew }),
        }))
      ).state;
  return `${RETRY_LINE}${isNew(latest) ? eventOf(watched, latest).text : COMMENT}`;
};

const newState = async <State>(
  { clock }: Context,
  watched: Watched<State>,
  { state, isNew }: { readonly state: State; readonly isNew: (state: State) => boolean },
): Promise<State> => {
  const end = clock() + WAIT_SECONDS_MAX * 1_000;
  let current = state;
  for (let left = WAIT_SECONDS_MAX * 1_000; left > 0; left = end - clock()) {
    // Subscribed before the read, so that a change in between is not missed.
    const changed = watched.changed(current, left);
    current = (await watched.read()) ?? current;
    if (isNew(current) || !watched.isUnfinished(current)) {
      return current;
    }
    await changed;
  }
  return (await watched.read()) ?? current;
};

type StreamContext = Pick<Context, "clock"> & { readonly streams: Streams };
type Streams = NonNullable<Context["streams"]>;

/**
 * @returns the events as a body that is sent while the state changes. It ends after the last event, after the longest
 * time, when the job or pipeline is deleted, and when the service shuts down.
 * @throws RequestError when too many streams are open
 */
const eventStream = <State>(
  context: StreamContext,
  request: ApiRequest<unknown>,
  { watched, state }: { readonly watched: Watched<State>; readonly state: State },
): Readable => {
  const release = context.streams.open(request.accountId);
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, context.streams.closing]);
  const events = eventsUntil(context, { watched, state, sent: lastEventOf(request), signal });
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

interface EventsUntil<State> {
  readonly watched: Watched<State>;
  readonly state: State;
  /** The ID of the last event that the client has received. */
  readonly sent: string | undefined;
  readonly signal: AbortSignal;
}

const eventsUntil = async function* <State>(
  { clock }: StreamContext,
  { watched, state: first, sent: received, signal }: EventsUntil<State>,
): AsyncGenerator<string, void, undefined> {
  const end = clock() + STREAM_MS_MAX;
  const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  let sent = received;
  let state = first;
  yield RETRY_LINE;
  while (!signal.aborted) {
    const left = Math.max(0, Math.min(end - clock(), STREAM_COMMENT_MS));
    // Subscribed before the read, so that a change in between is not missed.
    const changed = watched.changed(state, left);
    const current = await watched.read();
    if (current === undefined) {
      return;
    }
    state = current;
    const { id, text } = eventOf(watched, state);
    yield id === sent ? COMMENT : text;
    if (!watched.isUnfinished(state) || left === 0) {
      return;
    }
    sent = id;
    await Promise.race([changed, aborted]);
  }
};
