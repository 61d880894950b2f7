import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isApiKey } from "../../../functions/domain/accounts/keys.ts";
import { firstKey, OWNER_EMAIL } from "../../../local/accounts/first-key.ts";
import { accountRecord, NOW } from "../../support/world/records.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

let world: World;

beforeEach(() => {
  world = makeWorld(NOW);
});

afterEach(() => world.close());

const start = () => firstKey({ ...world.context, dataDir: world.folder });
const owner = () => world.context.accounts.findByEmail(OWNER_EMAIL);

describe("the account of the machine's owner", () => {
  it("is created once, unlimited, with a key in a file", async () => {
    const path = await start();
    expect(path).toBe(join(world.folder, "api-key"));
    const key = await readFile(path, "utf8");
    expect(isApiKey(key.trim())).toBe(true);
    expect(await owner()).toMatchObject({ plan: "unlimited", planPicked: true });
    await start();
    expect(await readFile(path, "utf8")).toBe(key);
  });

  it("becomes unlimited if an earlier release gave it a quota, but keeps a quota of the operator", async () => {
    const { accounts } = world.context;
    const former = accountRecord({ email: OWNER_EMAIL, plan: "enterprise", quota: 1_000_000 });
    await accounts.createAccount(former);
    await start();
    expect(await owner()).toMatchObject({ id: former.id, plan: "unlimited" });
    expect((await owner())?.quota).toBeUndefined();
    await accounts.setPlan(former.id, "enterprise", 70_000);
    await start();
    expect(await owner()).toMatchObject({ plan: "enterprise", quota: 70_000 });
  });
});
