import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pages } from "../docs/generate.ts";

describe("generated pages", () => {
  it.each(Object.entries(pages))("%s says what the tables say (npm run docs writes it)", async (name, page) => {
    expect(await readFile(join(import.meta.dirname, "../docs", name), "utf8")).toBe(page());
  });
});

describe("the README", () => {
  it("is at most 120 lines", async () => {
    const text = await readFile(join(import.meta.dirname, "../README.md"), "utf8");
    expect(text.split("\n").length).toBeLessThanOrEqual(121);
  });
});
