import type { Job } from "../../api.ts";
import { webhooksOf } from "../../calls/webhooks.ts";
import type { Service } from "../../http/request.ts";
import { intervalOf } from "../arguments.ts";
import { backoff, isTemporary, pauseFor } from "../backoff.ts";
import { UsageError } from "../exit.ts";
import { printable } from "../progress-bar.ts";
import type { Run } from "../run.ts";
import { serviceFor } from "../settings.ts";
import { commandTable } from "../table/table.ts";
import { type Delivery, deliver, isAccepted, type Message, messageOf } from "./deliver.ts";
import { manageEndpoints } from "./endpoints.ts";
import { type EventType, jobEvents } from "./job-events.ts";

/**
 * `webhooks listen` prints and forwards the events of jobs; `webhooks secret` prints the secrets that sign them; the other
 * actions manage endpoints.
 */
export const webhooks = async (run: Run): Promise<void> => {
  const [action = "", ...more] = run.args.words;
  const actions: Readonly<Record<string, (run: Run) => Promise<void>>> = { listen, secret: showSecret };
  const chosen = Object.hasOwn(actions, action) && more.length === 0 ? actions[action] : undefined;
  if (chosen === undefined) {
    await manageEndpoints(run, action, more);
    return;
  }
  await chosen(run);
};

const showSecret = async ({ args }: Run): Promise<void> => {
  for (const secret of await secretsOf(await serviceFor({ key: "required" }))) {
    console.log(args.flag("json") ? JSON.stringify({ secret }) : secret);
  }
};

/** @returns the valid secrets, newest first. The first one is created when it is needed. */
const secretsOf = async (service: Service): Promise<string[]> => {
  const webhooks = webhooksOf(service);
  const { secrets } = await webhooks.secrets();
  const valid = secrets.length > 0 ? secrets : (await webhooks.rotateSecret()).secrets;
  return valid.map(({ secret }) => secret);
};

/** Runs until it is interrupted. */
const listen = async ({ args, signal }: Run): Promise<void> => {
  const url = urlOf(args.text("forward"));
  const wanted = typesOf(args.text("events"));
  const interval = intervalOf(args);
  const json = args.flag("json");
  const service = await serviceFor({ key: "required" });
  if (url !== undefined) {
    // A key without the scope is rejected before there is an event.
    await secretsOf(service);
  }
  const events = jobEvents(service);
  const warn = (text: string): void => console.error(text);
  const pause = backoff(warn);
  const pending: Job[] = [];
  let isReady = false;
  while (!signal.aborted) {
    try {
      pending.push(...(pending.length > 0 ? [] : await events.poll(signal)));
      pause.succeeded();
      if (!isReady) {
        isReady = true;
        warn(url === undefined ? "Listening for events." : `Listening for events, forwarding to ${url}`);
      }
      await forwardAll({ service, url, json, signal }, pending, wanted);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (!isReady || !isTemporary(error)) {
        throw error;
      }
      pause.failed(error);
    }
    await pauseFor(Math.max(interval, pause.remaining()), signal);
  }
};

interface Forwarding {
  readonly service: Service;
  readonly url: URL | undefined;
  readonly json: boolean;
  readonly signal: AbortSignal;
}

/**
 * Removes the jobs from the list, one after the other, so that their events arrive in the order of their ends, and none
 * is lost while the service is unavailable.
 */
const forwardAll = async (
  { service, url, json, signal }: Forwarding,
  pending: Job[],
  wanted: ReadonlySet<string>,
): Promise<void> => {
  const secrets = url === undefined || pending.length === 0 ? [] : await secretsOf(service);
  for (let job = pending.shift(); job !== undefined; job = pending.shift()) {
    const message = messageOf(job);
    if (message !== undefined && wanted.has(message.type)) {
      const delivery = url === undefined ? undefined : await deliver(message, { url, secrets, signal });
      console.log(json ? jsonOf(message, delivery) : lineOf(job, message, delivery));
    }
  }
};

const jsonOf = ({ id, body }: Message, delivery: Delivery | undefined): string => {
  const sent = delivery && {
    status: delivery.status ?? null,
    error: delivery.error ?? null,
    attempts: delivery.attempts,
    duration_ms: delivery.milliseconds,
  };
  return JSON.stringify({ id, event: JSON.parse(body), delivery: sent ?? null });
};

const lineOf = (job: Job, { type }: Message, delivery: Delivery | undefined): string => {
  const about = `${type}  ${job.id}  ${job.source_format} -> ${job.target_format}`;
  if (delivery === undefined) {
    return about;
  }
  const { status, error, attempts, milliseconds } = delivery;
  const answer = status === undefined ? `no response: ${printable(error ?? "")}` : `status ${status}`;
  const retried = attempts > 1 ? `, attempt ${attempts}` : "";
  return `${about}  ${isAccepted(delivery) ? "" : "FAILED "}${answer} (${milliseconds} ms${retried})`;
};

const urlOf = (text: string | undefined): URL | undefined => {
  if (text === undefined) {
    return undefined;
  }
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new UsageError(`Invalid --forward "${text}": must be a URL such as http://127.0.0.1:3000/hook.`);
  }
  return new URL(text);
};

const EVENT_TYPES: readonly EventType[] = commandTable.webhooks.options.events.choices;

const typesOf = (text: string | undefined): ReadonlySet<string> => {
  const named = text?.split(",").map((each) => each.trim()) ?? EVENT_TYPES;
  const unknown = named.find((each) => !EVENT_TYPES.some((type) => type === each));
  if (unknown !== undefined) {
    throw new UsageError(`Invalid --events "${unknown}": must be one or more of ${EVENT_TYPES.join(", ")}.`);
  }
  return new Set(named);
};
