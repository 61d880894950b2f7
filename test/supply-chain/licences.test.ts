import { describe, expect, test } from "vitest";
import {
  ALLOWED,
  IN_PAGES,
  programOf,
  REPLACEABLE,
  type ShippedPackage,
  shippedPackages,
  systemPackages,
} from "../../layers/licences.ts";

/** @returns the licences of an expression: of `(A OR B)` one will do, of `A AND B` all are needed */
const choices = (expression: string): string[][] =>
  expression
    .replace(/[()]/g, "")
    .split(" OR ")
    .map((choice) => choice.split(" AND ").map((name) => name.trim()));

const isLesser = (licence: string): boolean => licence.startsWith("LGPL-");

const isAllowed = ({ name, licence }: ShippedPackage): boolean =>
  choices(licence).some((needed) =>
    needed.every((one) => ALLOWED.includes(one) || (isLesser(one) && REPLACEABLE.some((row) => row.test(name)))),
  );

describe("what is shipped", () => {
  const packages = shippedPackages();

  test("holds the packages that the code is built of, and those of the pages", () => {
    const names = packages.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["sharp", "zod", "@aws-sdk/client-s3", ...IN_PAGES]));
    expect(names).not.toContain("vitest");
  });

  test("stands under licences that let anyone use, change and sell it", () => {
    expect(packages.filter((each) => !isAllowed(each)).map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
  });

  test("has no package under the GPL or the AGPL, and would tell", () => {
    const wrong = ["AGPL-3.0-only", "GPL-3.0-or-later", "MIT AND GPL-2.0-only", "", "UNLICENSED"];
    expect(wrong.filter((licence) => isAllowed({ name: "x", version: "1", licence }))).toEqual([]);
    expect(isAllowed({ name: "jszip", version: "1", licence: "(MIT OR GPL-3.0-or-later)" })).toBe(true);
    expect(isAllowed({ name: "other", version: "1", licence: "LGPL-2.1" })).toBe(false);
  });

  test.each(systemPackages())("starts %s as a program of its own, under a licence that was looked at", (name) => {
    expect(programOf(name)?.licence).toMatch(/^[\w.-]+$/);
    expect(programOf(name)?.licence).not.toMatch(/AGPL|SSPL/);
  });
});
