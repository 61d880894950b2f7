import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256Hex } from "../../../functions/domain/ids.ts";
import { lateWrites } from "../../../local/files/late-writes.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "anyform-late-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("files that are written after the response", () => {
  it("are complete when the wait for them ends, and have the reported hash", async () => {
    const late = lateWrites((error) => expect.unreachable(String(error)));
    const path = join(folder, "result");
    const bytes = Buffer.alloc(100_000, "abc");
    expect(await late.write(path, bytes)).toEqual({ bytes: bytes.length, sha256: sha256Hex(bytes) });
    await late.ended(path);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(late.ended(path)).toBeUndefined();
  });

  it("wait for the disk only above 16 MB, so that memory has a limit", async () => {
    const late = lateWrites((error) => expect.unreachable(String(error)));
    const small = join(folder, "small");
    await late.write(small, Buffer.alloc(1_000));
    expect(late.ended(small)).toBeInstanceOf(Promise);
    const large = join(folder, "large");
    await late.write(large, Buffer.alloc(17_000_000));
    expect(late.ended(large)).toBeUndefined();
    await late.allEnded();
  });

  it("are reported if they cannot be written, and never replace a file", async () => {
    const errors: unknown[] = [];
    const late = lateWrites((error) => errors.push(error));
    const path = join(folder, "result");
    writeFileSync(path, "first");
    await late.write(path, Buffer.from("second"));
    await late.allEnded();
    expect(errors).toMatchObject([{ code: "EEXIST" }]);
    expect(readFileSync(path, "utf8")).toBe("first");
  });
});
