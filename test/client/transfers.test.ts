import { open } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../client/node.ts";
import { type Relay, relay } from "./support/relay.ts";
import { type Bench, fixture, openBench } from "./support/service.ts";

/** The file store of this service has a different host than its API, as on AWS. */

let bench: Bench;
let store: Relay;
beforeAll(async () => {
  store = await relay();
  bench = await openBench({ ANYFORM_PUBLIC_URL: store.url });
  store.target = bench.service.url;
});
afterAll(async () => {
  store.close();
  await bench.close();
});

const MB = 1_000_000;
/** Three parts; the last one is the smallest. */
const BIG_BYTES = 120 * MB;

const bigTable = async (): Promise<string> => {
  const path = join(bench.folder, "big.csv");
  const file = await open(path, "w");
  const block = Buffer.alloc(MB, "1,some text,2\n");
  for (let written = 0; written < BIG_BYTES; written += MB) {
    await file.write(block);
  }
  await file.close();
  return path;
};

/** @returns the numbers of the parts that reached the file store */
const partsSent = (): string[] =>
  store.requests
    .filter(({ method }) => method === "PUT")
    .map(({ path }) => new URL(path, store.url).searchParams.get("part") ?? "");

/** @returns a result that has not arrived with its conversion */
const downloaded = async () => bench.client.wait((await bench.client.convert(fixture("sample.png"), "jpg")).job.id);

describe("a large file", () => {
  it("resumes an interrupted upload with the missing parts and arrives complete", async () => {
    const path = await bigTable();
    const others: Promise<Response>[] = [];
    const broken = createClient({
      apiKey: bench.apiKey,
      baseUrl: bench.service.url,
      attempts: 2,
      fetch: async (...call) => {
        if (new URL(String(call[0])).searchParams.get("part") === "3") {
          await Promise.all(others);
          throw new TypeError("The connection was lost.");
        }
        const sent = fetch(...call);
        others.push(sent);
        return sent;
      },
    });
    const error: unknown = await broken.upload(path).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "not_reachable", uploadId: expect.stringMatching(/^upl_/) });
    const resume = (error as { uploadId: string }).uploadId;
    const before = (await bench.client.account()).quota.used;
    expect(partsSent().sort()).toEqual(["1", "2"]);
    const percents: number[] = [];
    const upload = await bench.client.upload(path, { resume, onProgress: ({ percent }) => percents.push(percent) });
    expect(upload).toMatchObject({ upload_id: resume, status: "ready", format: "csv", size: BIG_BYTES });
    expect(partsSent().sort()).toEqual(["1", "2", "3"]);
    expect(percents[0]).toBe(83);
    expect(percents.at(-1)).toBe(100);
    expect((await bench.client.account()).quota.used).toBe(before);
  });

  it("does not resume from a different file", async () => {
    const { upload_id } = await bench.client.upload(fixture("sample.png"));
    expect((await bench.client.upload(fixture("sample.png"), { resume: upload_id })).status).toBe("ready");
    const begun = await fetch(`${bench.service.url}/api/v1/upload`, {
      method: "POST",
      headers: { authorization: `Bearer ${bench.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ filename: "a.csv", size: 1_000 }),
    });
    const { upload_id: other } = (await begun.json()) as { upload_id: string };
    await expect(bench.client.upload(fixture("sample.png"), { resume: other })).rejects.toThrow("it has 1000 bytes");
  });
});

describe("a file store on another host", () => {
  it("never receives the API key, in uploads or downloads", async () => {
    await bench.client.upload({ name: "five.csv", content: Buffer.alloc(5 * MB, "1,text\n") });
    await (await downloaded()).bytes();
    expect(new Set(store.requests.map(({ method }) => method))).toEqual(new Set(["PUT", "GET"]));
    for (const { headers, path } of store.requests) {
      expect(headers.authorization).toBeUndefined();
      expect(path).not.toContain(bench.apiKey);
    }
  });

  it("never receives session cookies; the service does if a page requests it", async () => {
    const requests: [own: boolean, credentials: string | undefined][] = [];
    const page = createClient({
      apiKey: bench.apiKey,
      baseUrl: bench.service.url,
      credentials: "same-origin",
      fetch: (input, init) => {
        requests.push([String(input).startsWith(bench.service.url), init?.credentials]);
        return fetch(input, init);
      },
    });
    const file = await page.convert({ name: "five.csv", content: Buffer.alloc(5 * MB, "1,text\n") }, "json");
    await file.blob();
    expect(new Set(requests.map(([own, credentials]) => `${own} ${credentials}`))).toEqual(
      new Set(["true same-origin", "false omit"]),
    );
  });

  it("that corrupts a download once is retried, and one that always does is reported", async () => {
    const file = await downloaded();
    const good = store.change;
    let changes = 1;
    store.change = (chunk) => {
      changes -= 1;
      return changes >= 0 ? Buffer.from(chunk.map((byte) => byte ^ 1)) : chunk;
    };
    expect((await file.bytes()).slice(0, 2)).toEqual(Uint8Array.of(0xff, 0xd8));
    changes = Number.POSITIVE_INFINITY;
    await expect(file.bytes()).rejects.toMatchObject({ code: "checksum_mismatch" });
    await expect(file.save(join(bench.folder, "never.jpg"))).rejects.toMatchObject({ code: "checksum_mismatch" });
    await expect(buffer(file.stream())).rejects.toMatchObject({ code: "checksum_mismatch" });
    store.change = good;
    expect((await file.bytes()).length).toBe(file.size);
  });
});
