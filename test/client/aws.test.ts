import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Anyform, createClient, type Job } from "../../client/node.ts";
import { type RunningTarget, startAwsTarget } from "../support/services/targets.ts";
import { fixture } from "./support/service.ts";

let running: RunningTarget;
beforeAll(async () => {
  running = await startAwsTarget();
});
afterAll(() => running?.stop());

interface Sent {
  readonly method: string;
  readonly own: boolean;
  readonly key: boolean;
}

const watchedClient = (): { readonly client: Anyform; readonly sent: Sent[] } => {
  const sent: Sent[] = [];
  const { account, client } = running.target;
  return {
    sent,
    client: createClient({
      apiKey: account.api_key,
      baseUrl: client.url,
      fetch: (input, init) => {
        const own = String(input).startsWith(client.url);
        sent.push({ method: init?.method ?? "", own, key: new Headers(init?.headers).has("authorization") });
        return fetch(input, init);
      },
    }),
  };
};

describe("on AWS", () => {
  it("a small result arrives with its conversion", async () => {
    const { client, sent } = watchedClient();
    const file = await client.convert(fixture("sample.png"), "jpg");
    expect((await sharp(await file.bytes()).metadata()).format).toBe("jpeg");
    expect(sent.map(({ method, own }) => [method, own])).toEqual([
      ["POST", true],
      ["GET", true],
    ]);
  });

  it("a large result is read from the file store, which never receives the key", async () => {
    const { client, sent } = watchedClient();
    const size = { width: 2_000, height: 2_000, channels: 3, background: "teal" } as const;
    const picture = await sharp({ create: size }).png().toBuffer();
    const before = (await client.account()).quota.used;
    const file = await client.convert(picture, "bmp");
    expect(file.size).toBeGreaterThan(4_000_000);
    expect(await file.bytes()).toHaveLength(file.size);
    expect((await client.account()).quota.used).toBe(before + 1);
    expect(sent.filter(({ own }) => !own)).toEqual([{ method: "GET", own: false, key: false }]);
    expect(sent.filter(({ own }) => own).every(({ key }) => key)).toBe(true);
  });

  it("events arrive one by one, until the job ends", async () => {
    const { client } = watchedClient();
    const { upload_id: uploadId } = await client.upload(fixture("sample.png"));
    const { items } = await client.batch([{ uploadId, target: "webp" }]);
    const jobs: Job[] = [];
    for await (const job of client.events(items[0]?.job?.id ?? "")) {
      jobs.push(job);
    }
    expect(jobs.at(-1)?.status).toBe("completed");
    expect(new Set(jobs.map((job) => JSON.stringify(job))).size).toBe(jobs.length);
  });
});
