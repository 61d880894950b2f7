import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sessionSchema } from "../../../functions/domain/sessions/session-views.ts";
import { CODE_MS } from "../../../functions/domain/sessions/sign-in-limits.ts";
import { logger } from "../../../functions/logger.ts";
import { accountRecord, NOW } from "../../support/world/records.ts";
import { askForCode, signInAs, type Tab, tabOn } from "../../support/world/tab.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

let world: World;
let tab: Tab;
beforeEach(() => {
  world = makeWorld(NOW);
  tab = tabOn(world);
});
afterEach(() => world.close());

const otherThan = (code: string): string => (code === "123456" ? "654321" : "123456");

/** @returns an address in a separate network */
const addressOf = (index: number): string => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

describe("a code", () => {
  test("signs in once, and creates an account for a new email address", async () => {
    const answer = await askForCode(world, tab, "  Ada@Example.com ");
    expect(world.mails).toMatchObject([{ to: "ada@example.com", subject: expect.stringContaining(answer.code) }]);
    const { status, body } = await tab.ask("createSession", { body: answer });
    expect(status).toBe(201);
    expect(sessionSchema.parse(body).account).toMatchObject({
      email: "ada@example.com",
      plan: "free",
      plan_picked: false,
    });
    const again = await tabOn(world).ask("createSession", { body: answer });
    expect([again.status, again.body.code]).toEqual([422, "wrong_code"]);
  });

  test("signs in to the account with the email address, case-insensitively", async () => {
    const account = accountRecord({ email: "Ada@Example.com", plan: "enterprise", quota: 7 });
    await world.context.accounts.createAccount(account);
    expect(await signInAs(world, tab, "ada@EXAMPLE.com")).toBe(account.id);
  });

  test("is valid for ten minutes", async () => {
    const answer = await askForCode(world, tab, "ada@example.com");
    world.now += CODE_MS;
    expect((await tab.ask("createSession", { body: answer })).body.code).toBe("wrong_code");
    const other = await askForCode(world, tab, "ada@example.com");
    world.now += CODE_MS - 1;
    expect((await tab.ask("createSession", { body: other })).status).toBe(201);
  });

  test("allows five attempts, even concurrently, and then rejects the correct code", async () => {
    const { challenge_id, code } = await askForCode(world, tab, "ada@example.com");
    const wrong = { challenge_id, code: otherThan(code) };
    const replies = await Promise.all(Array.from({ length: 5 }, () => tab.ask("createSession", { body: wrong })));
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(Array(5).fill([422, "wrong_code"]));
    const { status, body } = await tab.ask("createSession", { body: { challenge_id, code } });
    expect([status, body.code]).toEqual([422, "wrong_code"]);
  });

  test("is valid only for its own challenge", async () => {
    const [first, second] = [
      await askForCode(world, tab, "a@example.com"),
      await askForCode(world, tab, "b@example.com"),
    ];
    const crossed = { challenge_id: first.challenge_id, code: second.code };
    expect((await tab.ask("createSession", { body: crossed })).status).toBe(first.code === second.code ? 201 : 422);
  });

  test("sent twice concurrently signs in once; two codes for a new address create one account", async () => {
    const answer = await askForCode(world, tab, "ada@example.com");
    const other = await askForCode(world, tab, "ada@example.com");
    const replies = await Promise.all(
      [answer, answer, other].map((body) => tabOn(world).ask("createSession", { body })),
    );
    const accepted = replies.filter(({ status }) => status === 201);
    expect(accepted).toHaveLength(2);
    expect(new Set(accepted.map(({ body }) => body.account.id)).size).toBe(1);
  });

  test("is sent in the requested language", async () => {
    await tab.ask("createSignInCode", { body: { email: "ada@example.com", locale: "de" } });
    expect(world.mails[0]?.subject).toMatch(/^\d{6} ist Ihr Code/);
    expect(world.mails[0]?.text).toContain("Er gilt 10 Minuten lang");
  });

  test("cannot be requested if email is not enabled", async () => {
    const { mail: _, ...context } = world.context;
    const silent = tabOn({ ...world, context });
    const { status, body } = await silent.ask("createSignInCode", { body: { email: "ada@example.com" } });
    expect([status, body.code]).toEqual([501, "not_offered"]);
    expect((await silent.ask("getSession")).body.offers.codes).toBe(false);
  });

  test("is not guessed by a thousand attempts at a thousand addresses", async () => {
    const rights: string[] = [];
    const replies = [];
    for (let index = 0; index < 1_000; index += 1) {
      const guesser = tabOn(world, { ip: addressOf(index) });
      const { challenge_id, code } = await askForCode(world, guesser, `person-${index}@example.com`);
      rights.push(code);
      replies.push(await guesser.ask("createSession", { body: { challenge_id, code: otherThan(code) } }));
    }
    expect(replies.filter(({ status }) => status !== 422)).toEqual([]);
    expect(replies.filter(({ headers }) => "set-cookie" in headers)).toEqual([]);
    // The codes are distributed like random ones: among a thousand of a million, hardly any repeats.
    expect(new Set(rights).size).toBeGreaterThan(980);
    expect(rights.every((code) => /^\d{6}$/.test(code))).toBe(true);
  });

  test("is not guessed from a thousand networks: one address allows 50 attempts a day", async () => {
    const codes: { challenge_id: string; code: string }[] = [];
    const statuses = new Map<number, number>();
    for (let index = 0; index < 1_000; index += 1) {
      const guesser = tabOn(world, { ip: addressOf(index) });
      if (index % 5 === 0 && codes.length < 20) {
        world.now += codes.length % 5 === 0 ? 3_600_000 : 0;
        codes.push(await askForCode(world, guesser, "ada@example.com"));
      }
      const { challenge_id = "", code = "" } = codes.at(-1) ?? {};
      const { status } = await guesser.ask("createSession", { body: { challenge_id, code: otherThan(code) } });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses.keys()].sort()).toEqual([422, 429]);
    const { body } = await tab.ask("createSession", { body: codes.at(-1) });
    expect(["wrong_code", "rate_limited"]).toContain(body.code);
  });
});

describe("the limits for codes", () => {
  const ask = (from: Tab, email: string) => from.ask("createSignInCode", { body: { email } });

  test("are five per hour for one address across all clients, with the time to retry", async () => {
    for (let index = 0; index < 5; index += 1) {
      expect((await ask(tabOn(world, { ip: addressOf(index) }), "ada@example.com")).status).toBe(202);
    }
    const { status, body, headers } = await ask(tabOn(world, { ip: addressOf(9) }), "ADA@example.com");
    expect([status, body.code, headers["retry-after"]]).toEqual([429, "rate_limited", "3600"]);
    expect(world.mails).toHaveLength(5);
    world.now += 3_600_000;
    expect((await ask(tab, "ada@example.com")).status).toBe(202);
  });

  test("are thirty per hour for one network, including an IPv6 network with many addresses", async () => {
    const statuses = [];
    for (let index = 0; index < 31; index += 1) {
      const ip = `2001:db8:1:2::${index.toString(16)}`;
      statuses.push((await ask(tabOn(world, { ip }), `person-${index}@example.com`)).status);
    }
    expect(statuses).toEqual([...Array(30).fill(202), 429]);
    expect((await ask(tabOn(world, { ip: "2001:db8:1:3::1" }), "other@example.com")).status).toBe(202);
  });

  test("are 120 per hour for one IPv6 /56, whatever networks its owner uses", async () => {
    let accepted = 0;
    for (let index = 0; index < 130; index += 1) {
      const ip = `2001:db8:1:2${(index % 128).toString(16).padStart(2, "0")}::1`;
      accepted += (await ask(tabOn(world, { ip }), `person-${index}@example.com`)).status === 202 ? 1 : 0;
    }
    expect(accepted).toBe(120);
    expect((await ask(tabOn(world, { ip: "2001:db8:1:300::1" }), "other@example.com")).status).toBe(202);
  });
});

describe("responses do not reveal whether an address has an account", () => {
  const shape = ({ status, headers, body }: Awaited<ReturnType<Tab["ask"]>>) => ({
    status,
    names: Object.keys(headers).sort(),
    body: { ...body, challenge_id: "", request_id: "" },
  });

  beforeEach(() => world.context.accounts.createAccount(accountRecord({ email: "known@example.com" })));

  test("codes are sent, rejected and limited equally, and no account is read before a code is submitted", async () => {
    const findByEmail = vi.spyOn(world.context.accounts, "findByEmail");
    for (let count = 0; count < 6; count += 1) {
      const [known, unknown] = await Promise.all(
        ["known@example.com", "unknown@example.com"].map((email) => tab.ask("createSignInCode", { body: { email } })),
      );
      expect(known && shape(known)).toEqual(unknown && shape(unknown));
    }
    expect(findByEmail).not.toHaveBeenCalled();
  });

  test("a wrong code is rejected equally", async () => {
    const [known, unknown] = await Promise.all(
      ["known@example.com", "unknown@example.com"].map(async (email) => {
        const own = tabOn(world);
        const { challenge_id, code } = await askForCode(world, own, email);
        return shape(await own.ask("createSession", { body: { challenge_id, code: otherThan(code) } }));
      }),
    );
    expect(known).toEqual(unknown);
  });
});

test.each([
  "",
  "ada",
  "ada@",
  "@example.com",
  "a@b@example.com",
  "ada@exam ple.com",
  "ada@example.com\r\nBcc: eve@example.com",
  "ada\n@example.com",
  '"ada eve"@example.com',
  "Ada <ada@example.com>",
  "ada@example.com,eve@example.com",
  "ada@-example.com",
  "ada@example..com",
  ".ada@example.com",
  `${"a".repeat(65)}@example.com`,
  `ada@${"a".repeat(64)}.com`,
  `ada@${"a.".repeat(130)}com`,
  "ädä@example.com",
])("rejects %j as an email address", async (email) => {
  const { status, body } = await tab.ask("createSignInCode", { body: { email } });
  expect([status, body.errors?.[0]?.pointer]).toEqual([400, "/email"]);
  expect(world.mails).toEqual([]);
});

test.each(["ada@localhost", "ada.b+anyform@mail.example.co.uk", "o'hara@example.com", "1@2.example"])(
  "accepts %s as an email address",
  async (email) => {
    expect((await tab.ask("createSignInCode", { body: { email } })).status).toBe(202);
    expect(world.mails[0]?.to).toBe(email);
  },
);

test("logs no code, token or address of a successful or failed sign-in", async () => {
  const lines: string[] = [];
  logger.setLogLevel("DEBUG");
  const writes = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      lines.push(String(chunk));
      return true;
    }),
  );
  const email = "ada.lovelace@example.com";
  const { challenge_id, code } = await askForCode(world, tab, email);
  await tab.ask("createSession", { body: { challenge_id, code: otherThan(code) } });
  await tab.ask("createSession", { body: { challenge_id, code } });
  const [cookie = ""] = tab.cookies.values();
  await tab.ask("getSession");
  await tab.ask("getAccount");
  await tab.ask("deleteSession");
  await tab.ask("getAccount", { headers: { cookie: `__Host-anyform=${cookie}` } });
  for (const write of writes) {
    write.mockRestore();
  }
  logger.setLogLevel("SILENT");
  const log = lines.join("");
  expect(log).toContain('"operation":"createSession"');
  expect(log).toContain('"operation":"deleteSession"');
  for (const secret of [code, email, challenge_id, ...cookie.split(".")]) {
    expect(log).not.toContain(secret);
  }
});
