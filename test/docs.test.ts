import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pages } from "../docs/generate.ts";
import { engineIds } from "../functions/domain/conversions/engines.ts";
import { planRoutes } from "../functions/domain/conversions/plan.ts";

describe("generated pages", () => {
  it.each(Object.entries(pages))("%s matches the tables (regenerate with `node docs`)", async (name, page) => {
    expect(await readFile(join(import.meta.dirname, "../docs", name), "utf8")).toBe(page());
  });
});

describe("the formats page", () => {
  it("has at most 120 lines and lists every format that can be converted", async () => {
    const text = await readFile(join(import.meta.dirname, "../docs/formats.md"), "utf8");
    expect(text.split("\n").length).toBeLessThanOrEqual(121);
    const ids = new Set(planRoutes(new Set(engineIds)).all.flatMap(({ from, to }) => [from, to]));
    expect([...ids].filter((id) => !text.includes(`\`${id}\``))).toEqual([]);
  });
});

describe("the README", () => {
  it("has at most 90 lines of at most 120 characters", async () => {
    const lines = (await readFile(join(import.meta.dirname, "../README.md"), "utf8")).split("\n");
    expect(lines.length).toBeLessThanOrEqual(91);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });
});

describe("CONTRIBUTING", () => {
  it("shows a change that matches the code line by line", async () => {
    const text = await readFile(join(import.meta.dirname, "../CONTRIBUTING.md"), "utf8");
    const diff = /```diff\n \/\/ functions\/domain\/formats[\s\S]*?```/.exec(text)?.[0] ?? "";
    const files = diff.split(/^ \/\/ /m).slice(1);
    expect(files).toHaveLength(4);
    for (const part of files) {
      const path = /^[^\s,]+/.exec(part)?.[0] ?? "";
      const code = await readFile(join(import.meta.dirname, "..", path), "utf8");
      const added = [...part.matchAll(/^\+\s*(.*)$/gm)].map(([, line = ""]) => line);
      expect(added.filter((line) => !code.includes(line))).toEqual([]);
    }
  });
});
