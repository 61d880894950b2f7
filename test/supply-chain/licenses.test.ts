import { describe, expect, test } from "vitest";
import {
  ALLOWED,
  IN_PAGES,
  programOf,
  REPLACEABLE,
  type ShippedPackage,
  shippedPackages,
  systemPackages,
} from "../../layers/licenses.ts";

/** @returns the licenses of an expression: of `(A OR B)` one is enough, of `A AND B` all are needed */
const choices = (expression: string): string[][] =>
  expression
    .replace(/[()]/g, "")
    .split(" OR ")
    .map((choice) => choice.split(" AND ").map((name) => name.trim()));

const isLesser = (license: string): boolean => license.startsWith("LGPL-");

const isAllowed = ({ name, license }: ShippedPackage): boolean =>
  choices(license).some((needed) =>
    needed.every((one) => ALLOWED.includes(one) || (isLesser(one) && REPLACEABLE.some((row) => row.test(name)))),
  );

describe("shipped packages", () => {
  const packages = shippedPackages();

  test("include the packages of the functions and those of the pages", () => {
    const names = packages.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["sharp", "zod", "@aws-sdk/client-s3", ...IN_PAGES]));
    expect(names).not.toContain("vitest");
  });

  test("have licenses that allow everyone to use, change and sell them", () => {
    expect(packages.filter((each) => !isAllowed(each)).map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
  });

  test("are not under the GPL or the AGPL, which the check detects", () => {
    const wrong = ["AGPL-3.0-only", "GPL-3.0-or-later", "MIT AND GPL-2.0-only", "", "UNLICENSED"];
    expect(wrong.filter((license) => isAllowed({ name: "x", version: "1", license }))).toEqual([]);
    expect(isAllowed({ name: "jszip", version: "1", license: "(MIT OR GPL-3.0-or-later)" })).toBe(true);
    expect(isAllowed({ name: "other", version: "1", license: "LGPL-2.1" })).toBe(false);
  });

  test.each(systemPackages())("runs %s as a separate program, under a reviewed license", (name) => {
    expect(programOf(name)?.license).toMatch(/^[\w.-]+$/);
    expect(programOf(name)?.license).not.toMatch(/AGPL|SSPL/);
  });
});
