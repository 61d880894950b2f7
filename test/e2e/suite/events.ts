import sharp from "sharp";
import { fetch } from "undici";
import { beforeAll, describe, expect, it } from "vitest";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import type { Problem } from "../../support/services/client.ts";
import { type AccountClient, endOf, fixture, newAccount, type Target, usedBy } from "./target.ts";

interface JobEvent {
  readonly id: string;
  readonly name: string;
  readonly job: JobView;
}

/** Connections until the end of a job: on AWS each has at most one event. */
const CONNECTIONS_MAX = 50;

/** The server-sent events of a job. */
export const eventSuite = (target: () => Target): void => {
  describe("the events of a job", () => {
    let account: AccountClient;
    beforeAll(async () => {
      account = await newAccount(target(), 100);
    });

    const connect = (id: string, last?: string) =>
      fetch(`${account.client.url}/api/v1/convert/${id}/events`, {
        headers: { authorization: `Bearer ${account.api_key}`, ...(last !== undefined && { "last-event-id": last }) },
      });
    const eventIn = (block: string): JobEvent[] => {
      const fields = new Map(block.split("\n").map((line) => [line.split(": ", 1)[0], line.replace(/^\w*: /, "")]));
      const data = fields.get("data");
      return data === undefined
        ? []
        : [{ id: fields.get("id") ?? "", name: fields.get("event") ?? "", job: JSON.parse(data) }];
    };
    /** Reads like `EventSource`: reconnects with the last ID until the response is 204. */
    const eventsUntilEnd = async (id: string, seen: (event: JobEvent) => void): Promise<void> => {
      let last: string | undefined;
      for (let connections = 0; connections < CONNECTIONS_MAX; connections += 1) {
        const response = await connect(id, last);
        if (response.status === 204) {
          return;
        }
        expect([response.status, response.headers.get("content-type")]).toEqual([
          200,
          "text/event-stream; charset=utf-8",
        ]);
        let text = "";
        for await (const chunk of response.body ?? []) {
          text += Buffer.from(chunk).toString();
          const blocks = text.split("\n\n");
          text = blocks.pop() ?? "";
          for (const event of blocks.flatMap(eventIn)) {
            last = event.id;
            seen(event);
          }
        }
      }
      throw new Error(`The events of ${id} did not end.`);
    };
    const slowJob = async (): Promise<JobView> => {
      const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
      const size = { width: 3_000, height: 2_000, channels: 3, background: "white", noise } as const;
      const bytes = await sharp({ create: size }).jpeg({ quality: 70 }).toBuffer();
      const { body } = await account.client.upload({ name: "slow.jpg", bytes });
      const options = { lossless: true };
      return (await account.client.convert({ upload_id: body.upload_id, target_format: "avif", options })).body;
    };

    it("are the job now, then each change, without repetition, and end with the job", async () => {
      const { id } = await slowJob();
      const events: JobEvent[] = [];
      await eventsUntilEnd(id, (event) => {
        events.push(event);
        if (events.length === 1) {
          void account.client.call(`/api/v1/convert/${id}/cancel`, { method: "POST" });
        }
      });
      expect(events.length).toBeGreaterThan(1);
      expect(["queued", "processing"]).toContain(events[0]?.job.status);
      expect(events.at(-1)?.job).toEqual(await endOf(account.client, id));
      expect(events.at(-1)?.job.status).toBe("cancelled");
      expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
      expect(new Set(events.map(({ name }) => name))).toEqual(new Set(["job"]));
    });

    it("are one event for a job that has ended; they are not counted", async () => {
      const { job } = await account.client.turn(fixture("sample.png"), "webp");
      const used = await usedBy(target(), account);
      const events: JobEvent[] = [];
      await eventsUntilEnd(job.id, (event) => events.push(event));
      expect(events.map((event) => event.job)).toEqual([job]);
      expect((await connect(job.id, "earlier")).status).toBe(200);
      expect(await usedBy(target(), account)).toBe(used);
      await account.client.call(`/api/v1/convert/${job.id}/events`, { method: "HEAD" });
      await account.client.call(`/api/v1/convert/${job.id}/events`, {
        headers: { "last-event-id": events[0]?.id ?? "" },
      });
    });

    it("are only visible to the account", async () => {
      const { job } = await account.client.turn(fixture("sample.png"), "webp");
      const path = `/api/v1/convert/${job.id}/events`;
      const other = await newAccount(target(), 10);
      expect((await other.client.call<Problem>(path)).body.code).toBe("not_found");
      expect((await account.client.withKey(undefined).call<Problem>(path)).body.code).toBe("missing_api_key");
    });
  });
};
