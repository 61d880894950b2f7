import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { addressOf } from "../support/address.ts";
import type { Random } from "../support/random.ts";
import type { Input } from "./inputs.ts";

export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An external server: receives webhooks and serves files for import. */
export interface Receiver {
  readonly url: string;
  /** Messages by ID, including rejected ones. */
  readonly came: ReadonlyMap<string, readonly Delivery[]>;
  /** How often it rejected or disconnected. */
  readonly refused: number;
  /** From now on it accepts everything. */
  heal(): void;
  close(): Promise<void>;
}

/** It fails one time in three: it rejects the message, or accepts it and disconnects before it responds. */
export const startReceiver = async (inputs: ReadonlyMap<string, Input>, random: Random): Promise<Receiver> => {
  const came = new Map<string, Delivery[]>();
  let refused = 0;
  let ill = true;
  const server = createServer(async (request, response) => {
    const fails = ill && random.chance(0.33);
    refused += fails ? 1 : 0;
    if (request.method === "GET") {
      const { bytes = Buffer.alloc(0) } = inputs.get(request.url?.slice(1) ?? "") ?? {};
      response.writeHead(200, { "content-length": bytes.length });
      response.write(fails ? bytes.subarray(0, bytes.length / 2) : bytes);
      fails ? response.destroy() : response.end();
      return;
    }
    const body = await text(request).catch(() => undefined);
    const id = String(request.headers["webhook-id"]);
    if (body !== undefined) {
      came.set(id, [...(came.get(id) ?? []), { headers: request.headers, body }]);
    }
    if (fails && random.chance(0.5)) {
      request.destroy();
      return;
    }
    response.writeHead(fails ? 503 : 204).end();
  });
  return {
    url: await addressOf(server),
    came,
    get refused() {
      return refused;
    },
    heal: () => {
      ill = false;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
