import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TaskSubject } from "../../functions/domain/task-ports.ts";
import { deliverWebhook } from "../../functions/events/deliver-webhook.ts";
import { sweepWebhooks } from "../../functions/events/sweep-webhooks.ts";
import { NOW, webhookRecord } from "../support/world/records.ts";
import { makeWorld, type World } from "../support/world/world.ts";

const MINUTE_MS = 60_000;

describe("sweeping messages to webhooks", () => {
  let world: World;
  let asked: { id: string; inMs: number }[];
  beforeEach(() => {
    world = makeWorld(NOW);
    asked = [];
  });
  afterEach(() => world.close());

  const sweep = () => {
    const deliver = async ({ id }: TaskSubject, inMs: number) => void asked.push({ id, inMs });
    return sweepWebhooks({ ...world.context, tasks: { ...world.context.tasks, deliver } })();
  };
  const added = async (dueAt: number) => {
    const message = webhookRecord({ dueAt });
    await world.context.webhooks.create(message);
    return message.id;
  };

  test("queues overdue messages immediately, longest overdue first", async () => {
    const late = await added(NOW - 1);
    const later = await added(NOW - 60 * MINUTE_MS);
    expect(await sweep()).toBe(2);
    expect(asked).toEqual([
      { id: later, inMs: 0 },
      { id: late, inMs: 0 },
    ]);
  });

  test("schedules messages that are due before its next run, and leaves later ones", async () => {
    const soon = await added(NOW + 5 * MINUTE_MS);
    await added(NOW + 7 * MINUTE_MS);
    expect(await sweep()).toBe(1);
    expect(asked).toEqual([{ id: soon, inMs: 5 * MINUTE_MS }]);
  });

  test("ignores delivered and failed messages", async () => {
    for (const status of ["delivered", "failed"] as const) {
      await world.context.webhooks.record(await added(NOW), { at: NOW, durationMs: 1 }, { status });
    }
    expect(await sweep()).toBe(0);
  });

  test("finds a message whose pause exceeds the queue's maximum delay", async () => {
    const id = await added(NOW);
    // The receiver is unreachable, so the message waits for its third pause, half an hour.
    for (const _ of [1, 2, 3]) {
      await deliverWebhook(world.context)(id);
      world.now = (await world.context.webhooks.get(id))?.dueAt ?? 0;
    }
    const dueAt = world.now;
    expect(dueAt).toBeGreaterThan(NOW + 30 * MINUTE_MS);
    world.now = dueAt - 20 * MINUTE_MS;
    expect(await sweep()).toBe(0);
    world.now = dueAt - 2_000;
    expect(await sweep()).toBe(1);
    expect(asked).toEqual([{ id, inMs: 2_000 }]);
  });
});
