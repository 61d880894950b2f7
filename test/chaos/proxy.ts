import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { addressOf } from "../support/address.ts";
import type { Random } from "../support/random.ts";

/** What happens to a request on its way to an emulator. */
export type Trouble = "error" | "throttled" | "cut before" | "cut after" | "late" | "twice" | "later";

/** A proxy between the service and an emulator. */
export interface TroubledProxy {
  readonly url: string;
  /**
   * From now on this share of the requests fails in this way; 0: none. @param operation only its requests, `UpdateItem`
   */
  trouble(kind: Trouble, share: number, operation?: string): void;
  /** Affected requests by kind. */
  readonly troubled: ReadonlyMap<Trouble, number>;
  close(): Promise<void>;
}

export const startProxy = async (target: string, random: Random): Promise<TroubledProxy> => {
  const shares = new Map<Trouble, { readonly share: number; readonly operation: string }>();
  const troubled = new Map<Trouble, number>();
  const { hostname, port } = new URL(target);
  const forward = (incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { "transfer-encoding": _, ...headers } = incoming.headers;
      const outgoing = httpRequest({
        hostname,
        port,
        method: incoming.method,
        path: incoming.url,
        headers: { ...headers, "content-length": body.length } as OutgoingHttpHeaders,
      });
      outgoing.on("response", resolve).on("error", reject).end(body);
    });
  const server = createServer(async (incoming, response) => {
    const operation = String(incoming.headers["x-amz-target"] ?? "");
    const isMeant = (wanted: string): boolean => operation.endsWith(wanted);
    const kind = [...shares].find(([, each]) => isMeant(each.operation) && random.chance(each.share))?.[0];
    try {
      const body = await buffer(incoming);
      const struck = await pass({ incoming, response, body, forward }, kind, random);
      if (struck && kind !== undefined) {
        troubled.set(kind, (troubled.get(kind) ?? 0) + 1);
      }
    } catch {
      // The client or the emulator is gone; there is nobody to answer.
      response.destroy();
    }
  });
  return {
    url: await addressOf(server),
    troubled,
    trouble: (kind, share, operation = "") =>
      share > 0 ? shares.set(kind, { share, operation }) : shares.delete(kind),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

interface Passage {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly forward: (incoming: IncomingMessage, body: Buffer) => Promise<IncomingMessage>;
}

const LATE_MS_MAX = 1_500;
const LATER_SECONDS_MAX = 4;

/** @returns whether the request was affected: some faults only apply to messages */
const pass = async (passage: Passage, kind: Trouble | undefined, random: Random): Promise<boolean> => {
  const { incoming, response, forward } = passage;
  const isMessage = String(incoming.headers["x-amz-target"]).endsWith(".SendMessage");
  if (kind === "error" || kind === "throttled") {
    const { status, type, body } = refusal(incoming, kind);
    response.writeHead(status, { "content-type": type }).end(body);
    return true;
  }
  if (kind === "cut before") {
    incoming.socket.destroy();
    return true;
  }
  await pause(kind === "late" ? random.below(LATE_MS_MAX) : 0);
  const body = kind === "later" && isMessage ? heldBack(passage.body, random) : passage.body;
  if (kind === "twice" && isMessage) {
    (await forward(incoming, body)).resume();
  }
  const answer = await forward(incoming, body);
  if (kind === "cut after") {
    // The request was executed, and the response is lost.
    answer.resume();
    incoming.socket.destroy();
    return true;
  }
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(response);
  return kind === "late" || (isMessage && kind !== undefined);
};

/** A standard queue does not preserve order. */
const heldBack = (body: Buffer, random: Random): Buffer =>
  Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), DelaySeconds: random.below(LATER_SECONDS_MAX) }));

/** @returns the error response of the AWS service that the request is for */
const refusal = ({ headers }: IncomingMessage, kind: "error" | "throttled") => {
  const [service = ""] = String(headers["x-amz-target"] ?? "").split(".");
  if (service === "") {
    const code = kind === "error" ? "InternalError" : "SlowDown";
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>It is chaos.</Message></Error>`;
    return { status: kind === "error" ? 500 : 503, type: "application/xml", body };
  }
  const dynamo = service.startsWith("DynamoDB");
  const throttled = dynamo
    ? "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"
    : "com.amazonaws.sqs#RequestThrottled";
  const __type = kind === "throttled" ? throttled : "InternalServerError";
  return {
    status: kind === "throttled" ? 400 : 500,
    type: dynamo ? "application/x-amz-json-1.0" : "application/x-amz-json-1.0",
    body: JSON.stringify({ __type, message: "Simulated error." }),
  };
};
