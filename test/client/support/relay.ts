import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request } from "node:http";

/** A proxy on another host, like a file store. It records requests and can change responses. */
export interface Relay {
  readonly url: string;
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
  }[];
  /** The destination of the requests. */
  target: string;
  /** Changes a chunk of a response. */
  change: (chunk: Buffer) => Buffer;
  close(): void;
}

export const relay = async (): Promise<Relay> => {
  const requests: Relay["requests"][number][] = [];
  const server = createServer((incoming, response) => {
    const { method = "GET", url = "/", headers } = incoming;
    requests.push({ method, path: url, headers });
    const outgoing = request(new URL(url, opened.target), { method, headers, agent: false }, async (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      for await (const chunk of answer) {
        response.write(opened.change(chunk));
      }
      response.end();
    });
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const opened: Relay = {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    requests,
    target: "",
    change: (chunk) => chunk,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return opened;
};
