import { describe, expect, it } from "vitest";
import { resumesIn } from "../../dashboard/pages/convert/resumes.ts";

const HOUR_MS = 3_600_000;

const storage = (content?: string) => {
  const kept = new Map(content === undefined ? [] : [["anyform-uploads", content]]);
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
};

const film = { name: "film.mov", size: 200_000_000, lastModified: 7 };

describe("an unfinished upload", () => {
  it("is found again only for the same file", () => {
    const store = storage();
    resumesIn(store).keep(film, "upl_1");
    const after = resumesIn(store);
    expect(after.find(film)).toBe("upl_1");
    const others = [
      { ...film, size: 1 },
      { ...film, name: "b.mov" },
      { ...film, lastModified: 8 },
    ];
    expect(others.map(after.find)).toEqual([undefined, undefined, undefined]);
  });

  it("is forgotten when it has finished, when it is too old, and when there are too many", () => {
    let now = 100 * HOUR_MS;
    const resumes = resumesIn(storage(), () => now);
    resumes.keep(film, "upl_1");
    resumes.keep(film, "upl_2");
    expect(resumes.find(film)).toBe("upl_2");
    resumes.forget(film);
    expect(resumes.find(film)).toBeUndefined();
    resumes.keep(film, "upl_3");
    now += 23 * HOUR_MS;
    expect(resumes.find(film)).toBeUndefined();
    for (let size = 0; size < 30; size += 1) {
      resumes.keep({ ...film, size }, `upl_${size}`);
    }
    expect([resumes.find({ ...film, size: 9 }), resumes.find({ ...film, size: 10 })]).toEqual([undefined, "upl_10"]);
  });

  it("is ignored if the stored data is invalid", () => {
    const marks = JSON.stringify(["film.mov", 200_000_000, 7]);
    const odd = [
      "",
      "{",
      "null",
      "{}",
      "[1]",
      JSON.stringify([{ mark: marks, uploadId: "../../keys", at: Date.now() }]),
      JSON.stringify([{ mark: marks, uploadId: "upl_1", at: "now" }]),
      JSON.stringify([{ mark: marks, uploadId: "upl_1", at: Date.now() + HOUR_MS }]),
    ];
    expect(odd.map((content) => resumesIn(storage(content)).find(film))).toEqual(odd.map(() => undefined));
  });
});
