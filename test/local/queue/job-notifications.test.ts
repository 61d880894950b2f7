import { describe, expect, it } from "vitest";
import { jobNotifications } from "../../../local/memory/job-notifications.ts";

/** Ends a test whose notification never arrives. No test waits this long. */
const LONG_MS = 30_000;

describe("the notifications of one machine", () => {
  it("wake everyone waiting for the job", async () => {
    const notifications = jobNotifications();
    const waiting = [notifications.changed("job_a", LONG_MS), notifications.changed("job_a", LONG_MS)];
    notifications.notify("job_a");
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  });

  it("wake no one waiting for another job", async () => {
    const notifications = jobNotifications();
    const woken: string[] = [];
    const [a, b] = ["job_a", "job_b"].map((id) => notifications.changed(id, LONG_MS).then(() => woken.push(id)));
    notifications.notify("job_b");
    await b;
    expect(woken).toEqual(["job_b"]);
    notifications.notify("job_a");
    await a;
    expect(woken).toEqual(["job_b", "job_a"]);
  });

  it("wake everyone at the timeout without a change", async () => {
    const ticking = setInterval(() => {}, 1_000);
    await jobNotifications().changed("job_a", 5);
    clearInterval(ticking);
  });

  it("are not delivered to those who start waiting later", async () => {
    const notifications = jobNotifications();
    notifications.notify("job_a");
    let woken = false;
    const waiting = notifications.changed("job_a", LONG_MS).then(() => {
      woken = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(woken).toBe(false);
    notifications.notify("job_a");
    await waiting;
  });

  it("are passed on to other processes, but those of other processes are not", async () => {
    const notifications = jobNotifications();
    const passed: string[] = [];
    notifications.onNotify((id) => passed.push(id));
    const waiting = notifications.changed("job_b", LONG_MS);
    notifications.notify("job_a");
    notifications.wake("job_b");
    await waiting;
    expect(passed).toEqual(["job_a"]);
  });
});
