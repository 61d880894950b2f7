import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { type LocalService, startLocalService } from "../support/services/local-service.ts";

/** How the service stops when npm runs it, and a terminal or a service manager signals all processes of its group. */

let service: LocalService;
afterEach(async () => {
  await service.kill();
  await service.erase();
});

const HEAD = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
const END = "\r\n--b--\r\n";

/** Starts an upload. @returns a function that sends the rest, and resolves to the response */
const startUpload = async ({ url, dataDir }: LocalService) => {
  const key = (await readFile(join(dataDir, "api-key"), "utf8")).trim();
  const upload = request(`${url}/api/v1/upload`, {
    method: "POST",
    agent: false,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "multipart/form-data; boundary=b",
      expect: "100-continue",
    },
  });
  const response = once(upload, "response");
  response.catch(() => undefined);
  upload.flushHeaders();
  await once(upload, "continue");
  upload.write(`${HEAD}the first half, `);
  return async (): Promise<{ status: number; body: string }> => {
    upload.end(`the second half${END}`);
    const [reply] = await response;
    return { status: reply.statusCode, body: await text(reply) };
  };
};

/** Signals npm and the service, as a terminal does. */
const signalGroup = ({ process: { pid = 0 } }: LocalService, signal: NodeJS.Signals): void => {
  process.kill(-pid, signal);
};

const said = async ({ process: { stdout } }: LocalService, words: string): Promise<void> => {
  for await (const chunk of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    if (String(chunk).includes(words)) {
      return;
    }
  }
  throw new Error(`The service did not say: ${words}`);
};

const exitOf = ({ process: child }: LocalService): Promise<number | null> => once(child, "exit").then(([code]) => code);

describe("a signal to npm and the service", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "finishes an upload in progress on %s, and exits with code 0",
    async (signal) => {
      service = await startLocalService({ by: "npm" });
      const finish = await startUpload(service);
      const exit = exitOf(service);
      const message = said(service, "Finishing running requests");
      signalGroup(service, signal);
      signalGroup(service, signal);
      await message;
      signalGroup(service, "SIGTERM");
      expect(await finish()).toMatchObject({ status: 201, body: expect.stringContaining('"format":"txt"') });
      expect(await exit).toBe(0);
    },
  );
});
