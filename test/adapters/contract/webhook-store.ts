import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noticeIdOf } from "../../../functions/domain/accounts/quota-notices.ts";
import { newId } from "../../../functions/domain/ids.ts";
import type { WebhookStore } from "../../../functions/domain/webhooks/webhook-ports.ts";
import { NOW, webhookRecord } from "../../support/world/records.ts";

export interface WebhookStoreHarness {
  readonly webhooks: WebhookStore;
  close(): Promise<void>;
}

/** The contract of every WebhookStore. `make` returns an empty store; it is called before each test. */
export const webhookStoreContract = (name: string, make: () => Promise<WebhookStoreHarness>): void => {
  describe(`${name} as WebhookStore`, () => {
    let harness: WebhookStoreHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.close());

    it("returns a message as it was added, and adds it once", async () => {
      const { webhooks } = harness;
      const message = webhookRecord();
      const added = await Promise.all(Array.from({ length: 10 }, () => webhooks.create(message)));
      expect(added.filter(Boolean)).toHaveLength(1);
      expect(await webhooks.create({ ...message, url: "https://example.com/other" })).toBe(false);
      expect(await webhooks.get(message.id)).toStrictEqual(message);
      expect(await webhooks.get(webhookRecord().id)).toBeUndefined();
    });

    it("removes a message; removing a missing one is not an error", async () => {
      const { webhooks } = harness;
      const { id, accountId } = await added(webhooks);
      await webhooks.remove(id);
      await webhooks.remove(id);
      expect(await webhooks.get(id)).toBeUndefined();
      await webhooks.record(id, { at: NOW, durationMs: 1, answered: 500 }, { status: "pending", dueAt: NOW + 1 });
      expect(await webhooks.revive(id, NOW)).toBe(false);
      expect(await webhooks.list({ accountId, limit: 10 })).toEqual({ items: [] });
    });

    it("lists the messages of an account in pages, newest first", async () => {
      const { webhooks } = harness;
      const { accountId } = webhookRecord();
      const made = [];
      for (let age = 0; age < 5; age += 1) {
        const message = webhookRecord({ accountId, id: newId("webhook", NOW + age, randomBytes) });
        made.unshift(message);
        await webhooks.create(message);
        await webhooks.create(webhookRecord());
      }
      const first = await webhooks.list({ accountId, limit: 3 });
      expect(first.items).toEqual(made.slice(0, 3));
      const second = await webhooks.list({ accountId, limit: 3, ...(first.next && { after: first.next }) });
      expect(second).toEqual({ items: made.slice(3) });
    });

    it("does not list messages that deliver exports, nor notices of quotas", async () => {
      const { webhooks } = harness;
      const { id, accountId } = await added(webhooks);
      await webhooks.create(webhookRecord({ accountId, id: id.replace("msg_", "exp_") }));
      const notice = { endpoints: [{ id: "whe_1", url: "https://example.com", events: [] }], mails: true };
      const message = webhookRecord({ accountId, id: noticeIdOf(accountId, "2026-11", 80), notice });
      await webhooks.create(message);
      expect((await webhooks.list({ accountId, limit: 10 })).items.map((each) => each.id)).toEqual([id]);
      expect(await webhooks.due(NOW + 1, 10)).toHaveLength(3);
      expect(await webhooks.get(message.id)).toStrictEqual(message);
    });

    it("lists the messages of one endpoint, or of none", async () => {
      const { webhooks } = harness;
      const { id, accountId } = await added(webhooks);
      const made = [];
      for (const endpointId of ["whe_1", "whe_2", "whe_1"]) {
        const message = webhookRecord({ accountId, endpointId });
        made.push(message);
        await webhooks.create(message);
      }
      const idsOf = async (endpointId: string) =>
        (await webhooks.list({ accountId, limit: 10, endpointId })).items.map((message) => message.id).sort();
      expect(await idsOf("whe_1")).toEqual([made[0]?.id, made[2]?.id].sort());
      expect(await idsOf("default")).toEqual([id]);
      expect(await idsOf("whe_3")).toEqual([]);
    });

    it("gives a message to one of 20 concurrent claims, until its lease expires", async () => {
      const { webhooks } = harness;
      const { id } = await added(webhooks);
      const claims = await Promise.all(Array.from({ length: 20 }, () => webhooks.claim(id, NOW, NOW + 30_000)));
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await webhooks.get(id)).toMatchObject({ status: "pending", dueAt: NOW + 30_000 });
      expect(await webhooks.claim(id, NOW + 30_000, NOW + 60_000)).toBe(true);
      expect(await webhooks.claim(webhookRecord().id, NOW, NOW + 1)).toBe(false);
    });

    it("stores the result of each attempt, in order", async () => {
      const { webhooks } = harness;
      const { id } = await added(webhooks);
      const failed = { at: NOW, durationMs: 15_000, error: "No answer." };
      const taken = { at: NOW + 5_000, durationMs: 12, answered: 204 };
      await webhooks.record(id, failed, { status: "pending", dueAt: NOW + 5_000 });
      expect(await webhooks.get(id)).toMatchObject({ status: "pending", dueAt: NOW + 5_000, attempts: [failed] });
      await webhooks.record(id, taken, { status: "delivered" });
      const message = await webhooks.get(id);
      expect(message).toMatchObject({ status: "delivered", attempts: [failed, taken] });
      expect(message).not.toHaveProperty("dueAt");
    });

    it("makes a failed message pending again", async () => {
      const { webhooks } = harness;
      const { id } = await added(webhooks);
      await webhooks.record(id, { at: NOW, durationMs: 1, answered: 410 }, { status: "failed" });
      expect(await webhooks.claim(id, NOW, NOW + 1)).toBe(false);
      expect(await webhooks.revive(id, NOW + 9)).toBe(true);
      expect(await webhooks.get(id)).toMatchObject({ status: "pending", dueAt: NOW + 9 });
      expect(await webhooks.revive(webhookRecord().id, NOW)).toBe(false);
    });

    it("returns due messages, longest overdue first, up to the limit", async () => {
      const { webhooks } = harness;
      const dueAts = [NOW + 3, NOW + 1, NOW + 2, NOW + 100];
      const messages = dueAts.map((dueAt) => webhookRecord({ dueAt }));
      for (const message of messages) {
        await webhooks.create(message);
      }
      const done = await added(webhooks);
      await webhooks.record(done.id, { at: NOW, durationMs: 1, answered: 200 }, { status: "delivered" });
      const due = await webhooks.due(NOW + 10, 10);
      expect(due.map(({ dueAt }) => dueAt)).toEqual([NOW + 1, NOW + 2, NOW + 3]);
      expect(await webhooks.due(NOW + 10, 2)).toHaveLength(2);
      expect(await webhooks.due(NOW, 10)).toEqual([]);
    });
  });
};

const added = async (webhooks: WebhookStore) => {
  const message = webhookRecord();
  await webhooks.create(message);
  return message;
};
