import { describe, expect, it } from "vitest";
import { groupFields } from "../../dashboard/pages/convert/options/option-groups.ts";
import { rememberedIn } from "../../dashboard/pages/convert/options/remembered.ts";
import { fieldsOf } from "../../dashboard/pages/convert/options/schema-form.ts";
import { en } from "../../dashboard/text/en.ts";
import { optionNames } from "../../functions/domain/conversions/options.ts";
import { optionsJsonSchema } from "../../functions/domain/conversions/options-json.ts";

const storage = (content?: string) => {
  const kept = new Map(content === undefined ? [] : [["anyform-options", content]]);
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
};

describe("the options that were last used", () => {
  it("are found again for the same pair of formats, after a reload", () => {
    const store = storage();
    rememberedIn(store).keep("png", "jpg", { quality: 60 });
    const after = rememberedIn(store);
    expect(after.find("png", "jpg")).toEqual({ quality: 60 });
    expect([after.find("png", "webp"), after.find("heic", "jpg")]).toEqual([{}, {}]);
  });

  it("are forgotten when they are reset, and the oldest when there are too many", () => {
    const remembered = rememberedIn(storage());
    remembered.keep("png", "jpg", { quality: 60 });
    remembered.keep("png", "jpg", {});
    expect(remembered.find("png", "jpg")).toEqual({});
    for (let index = 0; index < 60; index++) {
      remembered.keep(`format${index}`, "jpg", { quality: index });
    }
    expect(remembered.find("format0", "jpg")).toEqual({});
    expect(remembered.find("format59", "jpg")).toEqual({ quality: 59 });
  });

  it("never include passwords, other secrets, and uploads", () => {
    const store = storage();
    const secret = { password: "p", user_password: "u", cookies: "a=b", watermark_upload_id: "upl_1" };
    rememberedIn(store).keep("pdf", "pdf", { ...secret, dpi: 150 });
    expect(rememberedIn(store).find("pdf", "pdf")).toEqual({ dpi: 150 });
    expect(store.getItem("anyform-options")).not.toContain("upl_1");
  });

  it("are empty without storage, and with the data of something else", () => {
    const broken = {
      getItem: () => {
        throw new DOMException("Forbidden.", "SecurityError");
      },
      setItem: () => {
        throw new DOMException("Full.", "QuotaExceededError");
      },
    };
    rememberedIn(broken).keep("png", "jpg", { quality: 60 });
    expect(rememberedIn(broken).find("png", "jpg")).toEqual({});
    for (const content of ["{", "null", "[1, null, {}]", '[{"pair": "png jpg", "options": [1]}]']) {
      expect(rememberedIn(storage(content)).find("png", "jpg"), content).toEqual({});
    }
  });
});

describe("the groups of options", () => {
  it("have a name, and contain every option of the service once", () => {
    const fields = fieldsOf(optionsJsonSchema({ options: optionNames }));
    const groups = groupFields(fields);
    expect(groups.flatMap((group) => group.fields)).toHaveLength(fields.length);
    expect(groups.filter(({ id }) => en.options.groups[id] === undefined)).toEqual([]);
    expect(groups.map(({ id }) => id)).not.toContain("other");
  });
});
