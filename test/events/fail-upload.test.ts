import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { failUpload } from "../../functions/events/fail-upload.ts";
import { fetchedRecord, NOW } from "../support/world/records.ts";
import { makeWorld, type World } from "../support/world/world.ts";

describe("the dead letter of an upload", () => {
  let world: World;
  beforeEach(() => {
    world = makeWorld(NOW);
  });
  afterEach(() => world.close());

  const pending = async () => {
    const upload = fetchedRecord();
    await world.context.uploads.createUpload(upload, undefined);
    await world.context.files.storeStream(upload.key, one(), 100);
    return upload;
  };
  const stateOf = (id: string) => world.context.uploads.getUpload(id);

  test("fails the upload, so that no client waits for it, and deletes its partial file", async () => {
    const { id, key } = await pending();
    expect(await failUpload(world.context)(id)).toBe("done");
    expect(await stateOf(id)).toMatchObject({ status: "failed", error: { code: "fetch_failed" } });
    expect(await world.context.files.bytesOf(key)).toBeUndefined();
  });

  test("does not change an upload that has ended in the meantime, or its file", async () => {
    const { id, key } = await pending();
    const file = { bytes: 1, sha256: "ab", format: "png" } as const;
    await world.context.uploads.settle(id, { status: "ready", ...file });
    expect(await failUpload(world.context)(id)).toBe("done");
    expect(await stateOf(id)).toMatchObject({ status: "ready" });
    expect(await world.context.files.bytesOf(key)).toBe(1);
  });

  test("without a record is acknowledged", async () => {
    expect(await failUpload(world.context)("upl_none")).toBe("done");
  });
});

async function* one(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("a");
}
