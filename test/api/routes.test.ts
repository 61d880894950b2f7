import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AnyOperation } from "../../functions/api/operation.ts";
import { routes } from "../../functions/api/routes.ts";

test("the route table has the same method and path as the file of each operation", () => {
  const source = readFileSync(join(import.meta.dirname, "../../functions/api/routes.ts"), "utf8");
  const named = [...source.matchAll(/^ {2}(\w+)(?:\(\w+\))?, \/\/ (.+)$/gm)].map(([, id, route]) => `${id} ${route}`);
  expect(named).toEqual(routes.map(({ id, methods, path }: AnyOperation) => `${id} ${methods.join(", ")} ${path}`));
});

test("no two operations have the same id, or the same method and path", () => {
  const ids = routes.map(({ id }) => id);
  const calls = routes.flatMap(({ methods, path }: AnyOperation) => methods.map((method) => `${method} ${path}`));
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(calls).size).toBe(calls.length);
});
