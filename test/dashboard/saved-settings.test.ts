import { describe, expect, test } from "vitest";
import { presetsFor } from "../../dashboard/pages/convert/options/preset-bar.tsx";
import { presetRequest, presetValues } from "../../dashboard/pages/presets/preset-values.ts";
import { missingFields, storageRequest, storageValues } from "../../dashboard/pages/storages/storage-fields.ts";

describe("the form of a storage", () => {
  const s3 = { ...storageValues(), name: "a", bucket: " b ", id: "c", secret: " d " };

  test("requires what its type needs", () => {
    expect(missingFields(storageValues())).toEqual(["name", "bucket", "id", "secret"]);
    expect(missingFields(s3)).toEqual([]);
    const webdav = { ...storageValues(), name: "a", type: "webdav", endpoint: "https://example.com/" };
    expect(missingFields(webdav)).toEqual([]);
    expect(missingFields({ ...webdav, id: "ada" })).toEqual(["secret"]);
    expect(missingFields({ ...webdav, endpoint: "" })).toEqual(["endpoint"]);
  });

  test("sends what was entered, and a secret unchanged", () => {
    const credentials = { access_key_id: "c", secret_access_key: " d " };
    expect(storageRequest(s3)).toEqual({ type: "s3", bucket: "b", ...credentials });
    const more = { ...s3, region: "eu-1", endpoint: "https://s3.example.com", virtual_host: true };
    expect(storageRequest(more)).toMatchObject({
      region: "eu-1",
      endpoint: "https://s3.example.com",
      virtual_host: true,
    });
    const webdav = { ...storageValues(), type: "webdav", endpoint: "https://example.com/", region: "eu-1" };
    expect(storageRequest(webdav)).toEqual({ type: "webdav", endpoint: "https://example.com/" });
    expect(storageRequest({ ...webdav, id: "ada", secret: "x" })).toMatchObject({ username: "ada", password: "x" });
  });

  test("of an existing storage has no credentials", () => {
    const times = { created_at: "", updated_at: "" };
    const place = { endpoint: "https://s3.example.com", region: "eu-1", bucket: "b", virtual_host: false };
    expect(storageValues({ name: "a", type: "s3", ...place, ...times })).toMatchObject({
      id: "",
      secret: "",
      bucket: "b",
    });
  });
});

describe("the form of a preset", () => {
  const preset = { name: "a", target_format: "webp", options: { quality: 75 }, steps: null, updated_at: "" };

  test("sends what it shows", () => {
    expect(presetRequest(presetValues(preset)).body).toEqual({ target_format: "webp", options: { quality: 75 } });
    const steps = [{ operation: "compress" }];
    expect(presetRequest(presetValues({ ...preset, target_format: null, steps })).body).toEqual({
      options: { quality: 75 },
      steps,
    });
  });

  test.each([
    ["nothing", {}, [["target", "nothing"]]],
    ["no name", { name: " ", target: "jpg" }, [["name", "missing"]]],
    ["text as options", { options: "quality 75" }, [["options", "notJson"]]],
    ["a list of options", { options: "[1]" }, [["options", "notJson"]]],
    ["an object of steps", { steps: "{}" }, [["steps", "notJson"]]],
  ] as const)("rejects %s", (_, part, problems) => {
    const read = presetRequest({ ...presetValues(), name: "a", ...part });
    expect([read.body, [...read.problems]]).toEqual([undefined, problems]);
  });

  test("fills the options of conversions to its target, unless it has steps", () => {
    const names = (target: string) => presetsFor([preset, other, any, empty], target).map(({ name }) => name);
    const other = { ...preset, name: "b", steps: [{ operation: "compress" }] };
    const any = { ...preset, name: "c", target_format: null };
    const empty = { ...preset, name: "d", options: {} };
    expect(names("webp")).toEqual(["a", "c"]);
    expect(names("jpg")).toEqual(["c"]);
  });
});
