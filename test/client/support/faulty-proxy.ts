import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { randomSequence } from "./random-sequence.ts";

/** A faulty connection to the service: every fifth request has one of these faults. */
const faults = [
  "drops the request",
  "drops the response",
  "answers 500",
  "answers 503",
  "sends the request twice",
  "truncates the request",
  "truncates the response",
] as const;

export type Fault = (typeof faults)[number];

export interface FaultyProxy {
  readonly url: string;
  /** Number of occurrences of each fault. */
  readonly struck: ReadonlyMap<Fault, number>;
  /** Accepted requests (status below 400), by method and first path segment after /api/v1. */
  readonly accepted: ReadonlyMap<string, number>;
  close(): void;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

const FAULT_SHARE = 0.2;
const SEED = 20_261_121;

export const faultyProxy = async (target: string): Promise<FaultyProxy> => {
  const random = randomSequence(SEED);
  const struck = new Map<Fault, number>();
  const accepted = new Map<string, number>();
  const forward = async (incoming: IncomingMessage, body: Buffer): Promise<Answer> => {
    const answer = await send(target, incoming, body);
    if (answer.status < 400) {
      add(accepted, `${incoming.method} ${incoming.url?.split(/[/?]/)[3] ?? ""}`);
    }
    return answer;
  };
  const strike = async (fault: Fault, exchange: Exchange): Promise<void> => {
    const { incoming, response, body } = exchange;
    add(struck, fault);
    const cut = () => response.destroy();
    const deeds: Record<Fault, () => Promise<unknown> | unknown> = {
      "drops the request": cut,
      "drops the response": async () => {
        await forward(incoming, body);
        cut();
      },
      "answers 500": () => response.writeHead(500).end("<h1>Oh no</h1>"),
      "answers 503": () => response.writeHead(503, { "retry-after": "0" }).end(),
      "sends the request twice": async () => {
        const answers = await Promise.all([forward(incoming, body), forward(incoming, body)]);
        write(response, answers[1]);
      },
      "truncates the request": async () => {
        await sendHalf(target, incoming, body);
        cut();
      },
      "truncates the response": async () => {
        const { status, headers, body: whole } = await forward(incoming, body);
        response.writeHead(status, headers);
        response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => setTimeout(cut, 5));
      },
    };
    await deeds[fault]();
  };
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming);
    const exchange = { incoming, response, body };
    const fault = random() < FAULT_SHARE ? faults[Math.floor(random() * faults.length)] : undefined;
    await (fault === undefined ? write(response, await forward(incoming, body)) : strike(fault, exchange));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    struck,
    accepted,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
}

const add = <Key>(counts: Map<Key, number>, key: Key): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

const write = (response: ServerResponse, { status, headers, body }: Answer): void => {
  response.writeHead(status, headers).end(body);
};

/** Keeps the Host header, so URLs from the service go through this proxy again. */
const outgoing = (target: string, { method, url, headers }: IncomingMessage) =>
  request(new URL(url ?? "/", target), { ...(method && { method }), headers, agent: false });

const send = async (target: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> => {
  const sent = outgoing(target, incoming).end(body);
  const [answer]: IncomingMessage[] = await once(sent, "response");
  if (answer === undefined) {
    throw new TypeError("The service did not respond.");
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
};

/** A request without a body is dropped before it arrives. */
const sendHalf = async (target: string, incoming: IncomingMessage, body: Buffer): Promise<void> => {
  if (body.length === 0) {
    return;
  }
  const sent = outgoing(target, incoming).on("error", () => undefined);
  await new Promise((resolve) => sent.write(body.subarray(0, Math.floor(body.length / 2)), resolve));
  sent.destroy();
};
