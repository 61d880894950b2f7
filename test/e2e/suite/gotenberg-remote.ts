import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, test, vi } from "vitest";
import { viewPdf } from "../../engines/support/documents/pdf.ts";
import { isInstalled } from "../../engines/support/task.ts";
import { addressOf } from "../../support/address.ts";
import { PATIENCE } from "../../support/patience.ts";
import { fixture } from "./target.ts";

/** The forms of Gotenberg that download their files, or send their results to a URL. */

/** A server that serves files, and stores what is sent to it. */
export interface RemoteServer {
  readonly server: Server;
  readonly origin: string;
  readonly received: ReceivedRequest[];
}

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Paths with `busy` reject the first request, as an overloaded server does; those with `gone` all. */
export const remoteServer = async (): Promise<RemoteServer> => {
  const received: ReceivedRequest[] = [];
  const seen = new Set<string>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    received.push({ method: request.method, path, headers: request.headers, body: await buffer(request) });
    const isFirst = !seen.has(path);
    seen.add(path);
    if ((path.includes("busy") && isFirst) || path.includes("gone")) {
      response.writeHead(path.includes("gone") ? 410 : 503).end();
    } else if (path.startsWith("/private/") && request.headers.authorization !== "Bearer secret") {
      response.writeHead(403).end();
    } else if (path.endsWith("sample.pdf")) {
      response.writeHead(200, { "content-disposition": 'attachment; filename="remote.pdf"' });
      response.end(readFileSync(fixture("sample.pdf")));
    } else {
      response.end("remote");
    }
  });
  return { server, origin: await addressOf(server), received };
};

type Part = string | { readonly name: string; readonly bytes: Uint8Array | string };

type Post = (
  path: string,
  parts: readonly (readonly [string, Part])[],
  headers?: Record<string, string>,
) => Promise<Response>;

interface Suite {
  readonly post: Post;
  readonly remote: () => RemoteServer;
  /** A folder for files. */
  readonly folder: () => string;
}

const MERGE = "/forms/pdfengines/merge";
const ENCRYPT = "/forms/pdfengines/encrypt";

export const gotenbergRemoteSuite = ({ post, remote, folder }: Suite): void => {
  const pdf: Part = { name: "one.pdf", bytes: readFileSync(fixture("sample.pdf")) };
  const save = (name: string, bytes: Uint8Array): string => {
    const path = join(folder(), name);
    writeFileSync(path, bytes);
    return path;
  };
  /** @returns the requests to a path, as soon as there are some */
  const requestsTo = (path: string, count = 1) =>
    vi.waitFor(
      () => {
        const found = remote().received.filter((each) => each.path === path);
        expect(found).toHaveLength(count);
        return found;
      },
      { ...PATIENCE, interval: 50 },
    );

  describe.skipIf(!isInstalled("qpdf"))("Gotenberg's downloadFrom", () => {
    const from = (...entries: readonly object[]) => ["downloadFrom", JSON.stringify(entries)] as const;

    test("adds files to those of the form, with their headers and names", async () => {
      const url = `${remote().origin}/private/sample.pdf`;
      const extraHttpHeaders = { Authorization: "Bearer secret" };
      const response = await post(MERGE, [["files", pdf], from({ url, extraHttpHeaders })]);
      const merged = save("downloaded.pdf", new Uint8Array(await response.arrayBuffer()));
      const pages = (await viewPdf(fixture("sample.pdf"))).length;
      expect(await viewPdf(merged)).toHaveLength(2 * pages);
      const read = await post("/forms/pdfengines/metadata/read", [from({ url, extraHttpHeaders })]);
      expect(Object.keys((await read.json()) as object)).toEqual(["remote.pdf"]);
    });

    test("attaches files, in both notations", async () => {
      const embedded = { url: `${remote().origin}/a.txt`, field: "embedded" };
      const older = { url: `${remote().origin}/b.txt`, embedded: true };
      const response = await post("/forms/pdfengines/embed", [["files", pdf], from(embedded, older)]);
      const path = save("attached.pdf", new Uint8Array(await response.arrayBuffer()));
      expect(execFileSync("qpdf", ["--list-attachments", path], { encoding: "utf8" })).toMatch(/a\.txt[\s\S]*b\.txt/);
    });

    test.each([
      ["a refused file", () => [{ url: `${remote().origin}/private/sample.pdf?token=1` }], 400, /sample\.pdf': .*403/],
      ["a private address", () => [{ url: "http://127.0.0.1:9/x.pdf" }], 403, /private network/],
      ["a URL without http", () => [{ url: "file:///etc/passwd" }], 400, /downloadFrom/],
      ["a reserved header", () => [{ url: remote().origin, extraHttpHeaders: { Host: "x" } }], 400, /downloadFrom/],
      ["too many entries", () => Array.from({ length: 51 }, () => ({ url: remote().origin })), 400, /50 entries/],
      ["no list", () => [3], 400, /downloadFrom/],
    ] as const)("rejects %s", async (_, entries, status, message) => {
      const response = await post(MERGE, [["files", pdf], from(...(entries() as object[]))]);
      const text = await response.text();
      expect([response.status, text]).toEqual([status, expect.stringMatching(message)]);
      expect(text).not.toContain("token=1");
    });
  });

  describe.skipIf(!isInstalled("qpdf"))("Gotenberg's webhooks", () => {
    test("upload the result, after a retry, and send an event", async () => {
      const { origin } = remote();
      const response = await post(MERGE, [["files", pdf]], {
        "gotenberg-webhook-url": `${origin}/busy/upload`,
        "gotenberg-webhook-method": "put",
        "gotenberg-webhook-events-url": `${origin}/events`,
        "gotenberg-webhook-extra-http-headers": JSON.stringify({ "X-Own": "yes" }),
        "gotenberg-output-filename": "merged",
        "gotenberg-trace": "trace-1",
      });
      expect([response.status, response.headers.get("gotenberg-trace")]).toEqual([204, "trace-1"]);
      const [, upload] = await requestsTo("/busy/upload", 2);
      expect(upload?.method).toBe("PUT");
      expect(upload?.headers).toMatchObject({
        "content-type": "application/pdf",
        "content-length": String(upload?.body.length),
        "content-disposition": expect.stringContaining('filename="merged.pdf"'),
        "x-own": "yes",
        "gotenberg-trace": "trace-1",
      });
      execFileSync("qpdf", ["--check", save("uploaded.pdf", upload?.body ?? Buffer.alloc(0))]);
      const [event] = await requestsTo("/events");
      expect(event).toMatchObject({ method: "POST", headers: { "content-type": "application/json", "x-own": "yes" } });
      expect(JSON.parse(String(event?.body))).toEqual({
        event: "webhook.success",
        correlationId: "trace-1",
        timestamp: expect.stringMatching(/^\d{4}-/),
      });
    });

    test("send the error of a form to the URL for errors, and an event", async () => {
      const { origin } = remote();
      const response = await post(ENCRYPT, [["files", pdf]], {
        "gotenberg-webhook-url": `${origin}/never`,
        "gotenberg-webhook-error-url": `${origin}/errors`,
        "gotenberg-webhook-error-method": "PATCH",
        "gotenberg-webhook-events-url": `${origin}/error-events`,
      });
      expect(response.status).toBe(204);
      const [error] = await requestsTo("/errors");
      const body = { status: 400, message: expect.stringContaining("'userPassword'") };
      expect(error?.method).toBe("PATCH");
      expect(JSON.parse(String(error?.body))).toEqual(body);
      const [event] = await requestsTo("/error-events");
      expect(JSON.parse(String(event?.body))).toMatchObject({ event: "webhook.error", error: body });
      expect(remote().received.some(({ path }) => path === "/never")).toBe(false);
    });

    test("report a result that the server does not accept, without retries", async () => {
      const { origin } = remote();
      await post(MERGE, [["files", pdf]], {
        "gotenberg-webhook-url": `${origin}/gone`,
        "gotenberg-webhook-error-url": `${origin}/upload-errors`,
      });
      const [error] = await requestsTo("/upload-errors");
      expect(JSON.parse(String(error?.body))).toEqual({ status: 500, message: expect.stringContaining("410") });
      expect(remote().received.filter(({ path }) => path === "/gone")).toHaveLength(1);
    });

    test("report a route without a file as an error", async () => {
      const { origin } = remote();
      await post("/forms/pdfengines/metadata/read", [["files", pdf]], {
        "gotenberg-webhook-url": `${origin}/never`,
        "gotenberg-webhook-error-url": `${origin}/read-errors`,
      });
      const [error] = await requestsTo("/read-errors");
      expect(JSON.parse(String(error?.body))).toMatchObject({ status: 400 });
    });

    test.each([
      ["no URL for errors", {}, 400],
      ["an unknown method", { "gotenberg-webhook-error-url": "O/e", "gotenberg-webhook-method": "GET" }, 400],
      ["headers that are not JSON", { "gotenberg-webhook-error-url": "O/e", [`${EXTRA}`]: "x" }, 400],
      ["a reserved header", { "gotenberg-webhook-error-url": "O/e", [`${EXTRA}`]: '{"Host": "x"}' }, 400],
      ["a private address", { "gotenberg-webhook-events-url": "http://169.254.169.254/" }, 403],
      ["another scheme", { "gotenberg-webhook-events-url": "ftp://example.com/" }, 400],
    ] as const)("reject %s before the form is read", async (_, headers, status) => {
      const { origin } = remote();
      const own = Object.entries(headers).map(([name, value]) => [name, value.replace(/^O\//, `${origin}/`)]);
      const response = await post(MERGE, [["files", pdf]], {
        "gotenberg-webhook-url": `${origin}/never`,
        ...Object.fromEntries(own),
      });
      expect(response.status, await response.text()).toBe(status);
    });
  });
};

const EXTRA = "gotenberg-webhook-extra-http-headers";
