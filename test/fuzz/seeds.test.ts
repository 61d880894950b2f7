import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { faultOf, newWorkspace } from "./parser.ts";
import { parsers } from "./parsers.ts";

/** Regression tests for the findings of `node test/fuzz`, and for its initial inputs. */

const workspace = newWorkspace();
afterAll(() => workspace.erase());

const seedsOf = (name: string): string[] => {
  const folder = join(import.meta.dirname, "seeds", name);
  return existsSync(folder) ? readdirSync(folder).map((file) => join(folder, file)) : [];
};

test("every seed folder belongs to a parser", () => {
  const names = parsers.map(({ name }) => name);
  expect(readdirSync(join(import.meta.dirname, "seeds")).filter((name) => !names.includes(name))).toEqual([]);
});

describe.each(parsers.map((parser) => ({ parser, name: parser.name })))(
  "the guarantees of $name",
  ({ parser, name }) => {
    test("are kept for valid inputs", async () => {
      for (const input of await parser.samples()) {
        expect(await faultOf(parser, Buffer.from(input), workspace)).toBeUndefined();
      }
    });

    test.each(seedsOf(name))("are kept for an input that violated them: %s", async (path) => {
      expect(await faultOf(parser, readFileSync(path), workspace)).toBeUndefined();
    });
  },
);
