import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { faultOf, newPlace } from "./parser.ts";
import { parsers } from "./parsers.ts";

/** What `node test/fuzz` has found, once and for all; and the inputs that it begins with. */

const place = newPlace();
afterAll(() => place.erase());

const seedsOf = (name: string): string[] => {
  const folder = join(import.meta.dirname, "seeds", name);
  return existsSync(folder) ? readdirSync(folder).map((file) => join(folder, file)) : [];
};

test("no seed lies where no parser reads it", () => {
  const names = parsers.map(({ name }) => name);
  expect(readdirSync(join(import.meta.dirname, "seeds")).filter((name) => !names.includes(name))).toEqual([]);
});

describe.each(parsers.map((parser) => ({ parser, name: parser.name })))(
  "what $name promises of any bytes",
  ({ parser, name }) => {
    test("it keeps for good ones", async () => {
      for (const input of await parser.samples()) {
        expect(await faultOf(parser, Buffer.from(input), place)).toBeUndefined();
      }
    });

    test.each(seedsOf(name))("it keeps for what broke it once: %s", async (path) => {
      expect(await faultOf(parser, readFileSync(path), place)).toBeUndefined();
    });
  },
);
