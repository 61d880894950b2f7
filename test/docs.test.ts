import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pages } from "../docs/generate.ts";
import { engineIds } from "../functions/domain/engines.ts";
import { planRoutes } from "../functions/domain/routes.ts";

describe("generated pages", () => {
  it.each(Object.entries(pages))("%s says what the tables say (npm run docs writes it)", async (name, page) => {
    expect(await readFile(join(import.meta.dirname, "../docs", name), "utf8")).toBe(page());
  });
});

describe("docs/times.json", () => {
  it("has a time for each conversion and no other (npm run docs:times measures them)", async () => {
    const times = JSON.parse(await readFile(join(import.meta.dirname, "../docs/times.json"), "utf8"));
    const pairs = planRoutes(new Set(engineIds)).all.map(({ from, to }) => `${from} ${to}`);
    expect(Object.keys(times).sort()).toEqual(pairs.sort());
  });
});

describe("the README", () => {
  it("is at most 120 lines", async () => {
    const text = await readFile(join(import.meta.dirname, "../README.md"), "utf8");
    expect(text.split("\n").length).toBeLessThanOrEqual(121);
  });
});
