import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keeper } from "../../client/calls/kept.ts";
import { type Anyform, type ClientSettings, ConversionError, createClient, type Progress } from "../../client/node.ts";
import { accountsCommand } from "../support/services/local-service.ts";
import { type Bench, fixture, openBench } from "./support/service.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

type Fetch = NonNullable<ClientSettings["fetch"]>;

/** @returns a client, and the requests that it sends */
const watchedClient = (
  answer: Fetch = fetch,
  over: Partial<ClientSettings> = {},
): { client: Anyform; sent: string[] } => {
  const sent: string[] = [];
  const client = createClient({
    apiKey: bench.apiKey,
    baseUrl: bench.service.url,
    fetch: (input, init) => {
      sent.push(`${init?.method} ${new URL(String(input)).pathname.replace(/job_\w+/, "ID")}`);
      return answer(input, init);
    },
    ...over,
  });
  return { client, sent };
};
const picture = fixture("sample.png");
const used = async () => (await bench.client.account()).quota.used;
const isConversion = (input: Parameters<Fetch>[0], init: Parameters<Fetch>[1]): boolean =>
  init?.method === "POST" && String(input).endsWith("/convert");
const reason = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe("a conversion of a small file", () => {
  it("is one counted request, whose response is the result", async () => {
    const before = await used();
    const { client, sent } = watchedClient();
    const file = await client.convert({ name: "Größe – 1.png", content: await readFile(picture) }, "jpg", {
      options: { width: 5 },
      otherOptions: { quality: 60 },
      filename: "small.jpg",
      metadata: { order: "7" },
      sourceFormat: "png",
    });
    const bytes = await file.bytes();
    expect((await sharp(bytes).metadata()).width).toBe(5);
    expect((await buffer(file.stream())).equals(bytes)).toBe(true);
    expect(file).toMatchObject({ name: "small.jpg", size: bytes.length, job: { source_filename: "Größe – 1.png" } });
    expect(file.job).toMatchObject({
      status: "completed",
      options: { width: 5, quality: 60 },
      metadata: { order: "7" },
    });
    expect(sent).toEqual(["POST /api/v1/convert", "GET /api/v1/convert/ID/status"]);
    expect(await used()).toBe(before + 1);
  });

  it("into JSON returns the file, not the job", async () => {
    const file = await bench.client.convert(fixture("sample.csv"), "json");
    expect(Array.isArray(JSON.parse(Buffer.from(await file.bytes()).toString()))).toBe(true);
  });

  it("has the warnings of the job, and a job that fails is a ConversionError without a retry", async () => {
    const { client, sent } = watchedClient();
    const original = await readFile(fixture("sample.pdf"));
    const broken = Buffer.concat([original.subarray(0, 12), Buffer.alloc(500, "x")]);
    const error = await reason(client.convert({ name: "a.pdf", content: broken }, "txt"));
    expect(error).toBeInstanceOf(ConversionError);
    expect(error).toMatchObject({ code: "source_corrupt", job: { status: "failed" } });
    expect(sent).toEqual(["POST /api/v1/convert", "GET /api/v1/convert/ID/status"]);
  });

  it("works with a key that cannot read jobs", async () => {
    const { dataDir } = bench.service;
    const { id } = await bench.client.account();
    const { api_key: apiKey } = await accountsCommand<{ api_key: string }>(
      ["create-key", "--account", id, "--scopes", "convert"],
      { DATA_DIR: dataDir },
    );
    const before = await used();
    const client = createClient({ apiKey, baseUrl: bench.service.url });
    const file = await client.convert(picture, "jpg");
    expect(file.job.status).toBe("completed");
    expect(await file.bytes()).toHaveLength(file.size);
    expect(await used()).toBe(before + 1);
    const empty = client.convert({ name: "a.pdf", content: Buffer.from("%PDF-1.7 broken") }, "txt");
    expect(await reason(empty)).toMatchObject({ code: "source_corrupt", jobId: expect.stringMatching(/^job_/) });
  });

  it("is repeated with the same key after a lost response, and creates one job", async () => {
    const keys = new Set<string | null>();
    let lost = 0;
    const { client } = watchedClient(async (input, init) => {
      const response = await fetch(input, init);
      if (isConversion(input, init)) {
        keys.add(new Headers(init?.headers).get("idempotency-key"));
        lost += 1;
        if (lost === 1) {
          throw new TypeError("The connection was lost.");
        }
      }
      return response;
    });
    const before = await used();
    const file = await client.convert(picture, "webp");
    expect(await file.bytes()).toHaveLength(file.size);
    expect([keys.size, lost, (await used()) - before]).toEqual([1, 2, 1]);
  });

  it("whose result is truncated or changed in transit is downloaded instead", async () => {
    for (const damage of [(bytes: Buffer) => bytes.subarray(0, 10), (bytes: Buffer) => bytes.map((byte) => byte ^ 1)]) {
      const { client, sent } = watchedClient(async (input, init) => {
        const response = await fetch(input, init);
        const bytes = isConversion(input, init) ? damage(Buffer.from(await response.arrayBuffer())) : undefined;
        return bytes === undefined ? response : new Response(Uint8Array.from(bytes), response);
      });
      const file = await client.convert(picture, "jpg");
      expect((await sharp(await file.bytes()).metadata()).format).toBe("jpeg");
      expect(sent.some((request) => request.startsWith("GET /api/v1/download/"))).toBe(true);
    }
  });

  it("that takes longer is waited for, with progress from upload to download", async () => {
    const seen: Progress[] = [];
    const { client, sent } = watchedClient((input, init) => {
      const headers = new Headers(init?.headers);
      if (isConversion(input, init)) {
        headers.set("prefer", "wait=0");
      }
      return fetch(input, { ...init, headers });
    });
    const file = await client.convert(picture, "jpg", { onProgress: (progress) => seen.push(progress) });
    expect(await file.bytes()).toHaveLength(file.size);
    expect(sent.at(-2)).toMatch(/^GET \/api\/v1\/download\//);
    expect([...new Set(seen.map(({ phase }) => phase))]).toEqual(["upload", "convert", "download"]);
  });

  it("follows a redirect to the file store, without the key", async () => {
    const bytes = await readFile(fixture("sample.jpg"));
    const received: (string | undefined)[] = [];
    const store = createServer((request, response) => {
      received.push(request.headers.authorization);
      response.end(bytes);
    }).listen(0, "127.0.0.1");
    await once(store, "listening");
    const address = store.address();
    const location = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/result`;
    const redirecting =
      (hidden: boolean): Fetch =>
      async (input, init) => {
        const response = await fetch(input, init);
        const headers = new Headers(response.headers);
        if (!isConversion(input, init) || new Headers(init?.headers).has("accept")) {
          return response;
        }
        await response.body?.cancel();
        headers.set("location", location);
        headers.delete("content-length");
        return hidden
          ? Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" })
          : new Response(null, { status: 303, headers });
      };
    const file = await watchedClient(redirecting(false)).client.convert(picture, "jpg");
    await expect(file.bytes()).rejects.toMatchObject({ code: "checksum_mismatch" });
    expect(received.length).toBeGreaterThan(0);
    expect(new Set(received)).toEqual(new Set([undefined]));
    store.close();
    const before = await used();
    const hidden = await watchedClient(redirecting(true)).client.convert(picture, "jpg");
    expect(await hidden.bytes()).toHaveLength(hidden.size);
    expect(await used()).toBe(before + 2);
  });
});

describe("a file that does not fit into one request", () => {
  it("is uploaded: when it is large, resumed, or rejected", async () => {
    const small = watchedClient(fetch, { singleCallBytesMax: 10 });
    await small.client.convert(picture, "jpg");
    expect(small.sent[0]).toBe("POST /api/v1/upload");
    const { upload_id: resume } = await bench.client.upload(picture);
    const resumed = watchedClient();
    await resumed.client.convert(picture, "jpg", { resume });
    expect(resumed.sent[0]).toBe(`GET /api/v1/upload/${resume}`);
    const refused = watchedClient(async (input, init) =>
      isConversion(input, init) && String(new Headers(init?.headers).get("content-type")).startsWith("multipart/")
        ? Response.json({ message: "Request Entity Too Large" }, { status: 413 })
        : fetch(input, init),
    );
    expect((await refused.client.convert(picture, "jpg")).name).toBe("sample.jpg");
    expect(refused.sent.slice(0, 2)).toEqual(["POST /api/v1/convert", "POST /api/v1/upload"]);
  });
});

describe("results in memory", () => {
  const result = (bytes: number): Response =>
    new Response(new Uint8Array(bytes), { headers: { "content-length": String(bytes) } });

  it("are limited in size and in total; two larger results stay in their connections, and are read once", async () => {
    const keep = keeper();
    const held = [];
    for (let count = 0; count < 8; count += 1) {
      held.push(await keep(result(8_000_000)));
    }
    expect(held.filter((kept) => kept?.open() !== undefined && kept.open() !== undefined)).toHaveLength(8);
    const [first, second] = [await keep(result(1_000)), await keep(result(9_000_000))];
    const response = result(9_000_000);
    expect(await keep(response)).toBeUndefined();
    expect(response.bodyUsed || response.body?.locked === false).toBe(true);
    expect((await buffer(first?.open() as never)).length).toBe(1_000);
    expect(first?.open()).toBeUndefined();
    second?.drop();
    expect(second?.open()).toBeUndefined();
    expect(await keep(result(9_000_000))).toBeDefined();
  });
});
