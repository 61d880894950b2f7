import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type QuotaClaim, quotaClaim } from "../../../functions/domain/accounts/quotas.ts";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { sqliteQuotas } from "../../../local/sqlite/quotas.ts";
import { fileReservations, type Reservation, type Reservations } from "../../../local/sqlite/reservations.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { accountRecord, NOW } from "../../support/world/records.ts";

/** Counts that are on the disk before their conversion has ended. */

const account = accountRecord({ plan: "api" });
const claim: QuotaClaim = quotaClaim(account, NOW, "convert");

let folder: TemporaryFolder;
let database: Database;
let opened: Reservations[];
beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.path);
  opened = [];
});
afterEach(async () => {
  for (const each of opened) {
    each.close();
  }
  database.close();
  await folder.remove();
});

/** @param recorded jobs that the database has */
const open = async (bootId: string | undefined, recorded: readonly string[] = []) => {
  const reservations = fileReservations(folder.path, database, {
    isRecorded: (id) => recorded.includes(id),
    ...(bootId !== undefined && { bootId }),
  });
  opened.push(reservations);
  return { ...reservations, counted: await reservations.recover() };
};
const used = () => sqliteQuotas(database).used(account.id, claim.month);
const taken = (reservations: Reservations, jobId: string): Reservation => {
  const reservation = reservations.take(jobId, claim);
  if (reservation === undefined) {
    throw new Error("Nothing was reserved.");
  }
  return reservation;
};

describe("reservations of counts", () => {
  it("count after a power failure what may have been answered, once", async () => {
    const before = await open("boot 1");
    await Promise.all(["a", "b"].map((id) => taken(before, id).onDisk));
    const after = await open("boot 2");
    expect([after.counted, await used()]).toEqual([2, 2]);
    expect((await open("boot 3")).counted).toBe(0);
    expect(await used()).toBe(2);
  });

  it("do not count what a killed process was converting: it answered nothing that it had not recorded", async () => {
    await taken(await open("boot 1"), "a").onDisk;
    expect((await open("boot 1")).counted).toBe(0);
    expect(await used()).toBe(0);
  });

  it("do not count a job that the database has, nor one that was cancelled", async () => {
    const before = await open("boot 1");
    const [recorded, cancelled] = [taken(before, "recorded"), taken(before, "cancelled")];
    await Promise.all([recorded.onDisk, cancelled.onDisk]);
    recorded.recorded();
    await cancelled.cancel();
    expect((await open("boot 2", ["recorded"])).counted).toBe(0);
  });

  it("end when the log of the database is on the disk, also if an earlier one has not ended", async () => {
    const before = await open("boot 1");
    const [slow, quick] = [taken(before, "slow"), taken(before, "quick")];
    await Promise.all([slow.onDisk, quick.onDisk]);
    quick.recorded();
    const ended = () => JSON.parse(readFileSync(join(folder.path, "reservations")).toString("utf8", 0, 512)).ended;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(ended()).toBe(0);
    slow.recorded();
    await expect.poll(ended).toBe(2);
    // Their records may have been deleted since.
    expect((await open("boot 2")).counted).toBe(0);
  });

  it("are refused when all blocks are taken, and free again when the first have ended", async () => {
    const reservations = await open("boot 1");
    const all = Array.from({ length: 64 }, (_, index) => taken(reservations, `job ${index}`));
    expect(reservations.take("one too many", claim)).toBeUndefined();
    for (const each of all) {
      each.recorded();
    }
    await expect.poll(() => reservations.take("next", claim)).toBeDefined();
  });

  it("are refused if a claim does not fit into a block, and by other processes than the service", async () => {
    const reservations = await open("boot 1");
    expect(reservations.take("x".repeat(600), claim)).toBeUndefined();
    const other = fileReservations(folder.path, database, { isRecorded: () => false, bootId: "boot 1" });
    expect(other.take("a", claim)).toBeUndefined();
    other.close();
  });

  it("ignore a block that was not written completely", async () => {
    await taken(await open("boot 1"), "a").onDisk;
    const path = join(folder.path, "reservations");
    const bytes = readFileSync(path);
    bytes.fill(0, 2 * 512 + 40, 3 * 512);
    writeFileSync(path, bytes);
    expect((await open("boot 2")).counted).toBe(0);
  });

  it("never count beyond the limit of the account", async () => {
    const tight = { ...claim, limit: 1 };
    const before = await open("boot 1");
    await Promise.all(["a", "b"].map((id) => before.take(id, tight)?.onDisk));
    await open("boot 2");
    expect(await used()).toBe(1);
  });
});
