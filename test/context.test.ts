import { expect, it } from "vitest";
import { context } from "../functions/context.ts";
import { engineIds, isDeployable } from "../functions/domain/conversions/engines.ts";
import { useEmulators } from "./support/emulators/emulator-suite.ts";
import { accountRecord, jobRecord, NOW, quotaRecord } from "./support/world/records.ts";

const emulators = useEmulators();

it("reads the environment at the first call, not on import, and creates a single context", async () => {
  // The emulators' addresses are known only after the import.
  expect(emulators().environment.ANYFORM_JOBS_TABLE).toBeDefined();
  expect(context()).toBe(context());
  const account = accountRecord();
  expect(await context().accounts.createAccount(account)).toBe("created");
  expect(await context().accounts.getAccount(account.id)).toEqual(account);
});

it("uses the tables, bucket and queue named in the environment", async () => {
  const { jobs, quotas, files, queue } = context();
  const job = jobRecord();
  expect(await jobs.createJob(job, quotaRecord(job.accountId, 1))).toEqual({ outcome: "created" });
  expect(await quotas.used(job.accountId, job.quotaMonth)).toBe(1);
  const stored = await files.storeStream(job.inputKey, contentOf("content"), 100);
  expect(stored.bytes).toBe(7);
  const delivery = { filename: "a.png", mediaType: "image/png", expiresAt: Date.now() + 60_000 };
  expect(await (await fetch(await files.signedUrl(job.inputKey, delivery))).text()).toBe("content");
  await queue.send("fast", { jobId: job.id, accountId: job.accountId });
});

it("has the engines and routes of all lanes", () => {
  const { engines, routes } = context();
  expect([...engines.keys()]).toEqual(engineIds.filter((engine) => isDeployable(engine)));
  expect(routes.find("heic", "webp")?.steps).toHaveLength(2);
  // Planning takes time, so it is done once.
  expect(context().routes).toBe(routes);
});

it("has a running clock and random values", () => {
  const { clock, random } = context();
  expect(clock()).toBeGreaterThan(NOW - 365 * 24 * 3_600_000);
  expect(random(16)).not.toEqual(random(16));
});

async function* contentOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
