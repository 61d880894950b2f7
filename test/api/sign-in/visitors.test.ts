import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { VISITOR_MS, VISITOR_UPLOAD_BYTES_MAX } from "../../../functions/domain/sessions/sign-in-limits.ts";
import { NOW } from "../../support/world/records.ts";
import { type Tab, tabOn } from "../../support/world/tab.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

let world: World;
let tab: Tab;
beforeEach(async () => {
  world = makeWorld(NOW);
  tab = tabOn(world);
  await tab.ask("createVisitorSession");
});
afterEach(() => world.close());

const send = (from: Tab, size = 10) => from.ask("createUpload", { body: { filename: "a.png", size } });

describe("a visitor", () => {
  test("has one day, fifteen requests and no email address", async () => {
    const { body } = await tab.ask("getSession");
    const until = new Date(NOW + VISITOR_MS).toISOString();
    expect(body).toMatchObject({
      account: { email: null, plan: "free", visitor_until: until },
      session: { by: "visitor", expires_at: until },
    });
    expect((await tab.ask("getAccount")).body.quota.limit).toBe(15);
    world.now += VISITOR_MS;
    expect((await tab.ask("getAccount")).status).toBe(401);
  });

  test("can upload five files per day from one network across sessions, and then gets the time to retry", async () => {
    const statuses = [];
    for (let count = 0; count < 5; count += 1) {
      const other = tabOn(world, { ip: `2001:db8::${count}` });
      await other.ask("createVisitorSession");
      statuses.push((await send(other)).status);
    }
    const last = tabOn(world, { ip: "2001:db8::ffff" });
    await last.ask("createVisitorSession");
    const { status, body, headers } = await send(last);
    expect(statuses).toEqual(Array(5).fill(201));
    expect([status, body.code, headers["retry-after"]]).toEqual([429, "rate_limited", String(12 * 3_600)]);
    expect(body.detail).toContain("5 files per day");
    expect((await send(tab)).status).toBe(201);
  });

  test("can upload files up to 5 MB, and none from a URL", async () => {
    expect((await send(tab, VISITOR_UPLOAD_BYTES_MAX)).status).toBe(201);
    const { status, body } = await send(tab, VISITOR_UPLOAD_BYTES_MAX + 1);
    expect([status, body.code]).toEqual([413, "payload_too_large"]);
    const fetched = await tab.ask("createUpload", { body: { url: "https://example.com/a.png" } });
    expect([fetched.status, fetched.body.errors?.[0]]).toMatchObject([400, { pointer: "/url" }]);
    expect(world.asked).toEqual([]);
    const headers = { "content-type": "multipart/form-data; boundary=b", "content-length": "6000000" };
    expect((await tab.ask("createUpload", { headers })).status).toBe(413);
  });

  test("cannot use webhooks", async () => {
    const upload_id = (await send(tab)).body.upload_id;
    const body = { upload_id, target_format: "jpg", webhook_url: "https://example.com/hook" };
    const { status, body: problem } = await tab.ask("createJob", { body });
    // The upload is incomplete, but the restriction for visitors is reported first.
    expect([status, problem.errors?.[0]?.pointer]).toEqual([400, "/webhook_url"]);
  });

  test.each(["listJobs", "listSessions", "listPasskeys", "startPasskey", "endSession", "deletePasskey"] as const)(
    "must sign in for %s",
    async (operation) => {
      const { status, body } = await tab.ask(operation, { id: "x" });
      expect([status, body.code]).toEqual([401, "missing_session"]);
    },
  );

  test("can sign out", async () => {
    expect((await tab.ask("deleteSession")).status).toBe(204);
    expect((await tab.ask("getSession")).body.account).toBeNull();
  });
});

test("one network is limited to twenty visitors per day", async () => {
  const statuses = [];
  for (let count = 0; count < 20; count += 1) {
    statuses.push((await tabOn(world).ask("createVisitorSession")).status);
  }
  expect(statuses).toEqual([...Array(19).fill(201), 429]);
  expect((await tabOn(world, { ip: "198.51.100.1" }).ask("createVisitorSession")).status).toBe(201);
});

test("visitors are rejected if the operator disables them", async () => {
  const closed = tabOn({ ...world, context: { ...world.context, visitors: false } });
  const { status, body } = await closed.ask("createVisitorSession");
  expect([status, body.code]).toEqual([501, "not_offered"]);
  expect((await closed.ask("getSession")).body.offers.visitors).toBe(false);
});
