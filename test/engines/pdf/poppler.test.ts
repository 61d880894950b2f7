import { readFileSync, writeFileSync } from "node:fs";
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { checkDrawing } from "../../../functions/engines/pictures/svg/check.ts";
import { installedEngines } from "../../../local/engines/installed.ts";
import { codeOf } from "../support/convert.ts";
import { viewPdf } from "../support/documents/pdf.ts";
import { typeset } from "../support/documents/typeset.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";
import { distance } from "../support/views.ts";

/** PDF pages as vector drawings by Poppler, if installed. */

const scratch = scratchFolder();
const convert = convertingBy("poppler", scratch);

test("offers drawings of PDFs only if Poppler is installed, and no other route through PostScript", () => {
  const engines = new Set(installedEngines().keys());
  expect(planRoutes(engines.difference(new Set(["poppler"]))).find("pdf", "eps")).toBeUndefined();
  const routes = planRoutes(new Set([...engines, "poppler"]));
  expect(routes.find("pdf", "svg")).toMatchObject({ lane: "documents", options: ["pages", "password"] });
  expect(routes.find("docx", "eps")).toBeUndefined();
  expect(routes.find("emf", "svg")?.steps.some(({ engine }) => engine === "poppler")).not.toBe(true);
});

describe.skipIf(!isInstalled("poppler"))("Poppler", () => {
  test("writes each page as SVG that looks like the page, without text and external references", async () => {
    const { parts = [], codes } = await convert(sampleOf("pdf"), ["pdf", "svg"]);
    const views = await viewPdf(sampleOf("pdf"));
    expect([parts.map(({ name }) => name), codes]).toEqual([["page-01", "page-02"], []]);
    for (const [index, { path }] of parts.entries()) {
      const text = readFileSync(path, "utf8");
      expect(text).not.toMatch(/<script|<foreignObject|on\w+=|<!ENTITY|file:/i);
      expect(text.match(/href="(?!#|data:image\/(?:png|jpeg);base64,)[^"]*"/g)).toBeNull();
      checkDrawing(readFileSync(path));
      const { pixelWidth: width = 1, pixelHeight: height = 1, pixels = new Uint8Array() } = views[index] ?? {};
      const drawn = sharp(path).resize({ width, height, fit: "fill" }).flatten({ background: "#fff" });
      expect(distance(await drawn.toColourspace("srgb").removeAlpha().raw().toBuffer(), pixels)).toBeLessThan(4);
    }
  });

  test("writes a page as EPS with one page, its bounding box and its end", async () => {
    const { parts = [] } = await convert(sampleOf("pdf"), ["pdf", "eps"], { pages: "2" });
    expect(parts).toHaveLength(1);
    const text = readFileSync(parts[0]?.path ?? "", "latin1");
    expect(text).toMatch(/^%!PS-Adobe-3\.0 EPSF-3\.0\r?\n/);
    expect(text).toMatch(/%%HiResBoundingBox|%%BoundingBox: \d+ \d+ \d+ \d+/);
    expect(text.trimEnd()).toMatch(/%%EOF$/);
    expect(text.match(/^%%Page: /gm)).toHaveLength(1);
  });

  test("writes the requested pages in order", async () => {
    const { parts = [] } = await convert(sampleOf("pdf"), ["pdf", "svg"], { pages: "2,1" });
    expect(parts.map(({ name }) => name)).toEqual(["page-02", "page-01"]);
    expect(await codeOf(convert(sampleOf("pdf"), ["pdf", "svg"], { pages: "7" }))).toBe("unsupported_feature");
  });

  test("opens an encrypted PDF with its password, and reports a missing or wrong password", async () => {
    const document = await PDFDocument.load(typeset("Locked page"));
    await document.encrypt({ userPassword: "löck", ownerPassword: "key" });
    const locked = scratch.file(await document.save());
    expect(await codeOf(convert(locked, ["pdf", "svg"]))).toBe("password_required");
    expect(await codeOf(convert(locked, ["pdf", "svg"], { password: "no" }))).toBe("password_required");
    const { parts = [] } = await convert(locked, ["pdf", "svg"], { password: "löck" });
    expect(readFileSync(parts[0]?.path ?? "", "utf8")).toContain("<path");
  });

  test.each([0.2, 0.5])(
    "a PDF truncated at %d of its length is drawn as far as possible, or is corrupt",
    async (part) => {
      const bytes = readFileSync(sampleOf("pdf"));
      const input = scratch.file(bytes.subarray(0, Math.floor(bytes.length * part)));
      expect(await codeOf(convert(input, ["pdf", "svg"]))).toBe("source_corrupt");
    },
  );

  test("rejects text as PDF, and a page of unlimited size", async () => {
    expect(await codeOf(convert(scratch.file("This is a text."), ["pdf", "svg"]))).toBe("source_corrupt");
    const document = await PDFDocument.create();
    for (let page = 0; page < 2_001; page += 1) {
      document.addPage([10, 10]);
    }
    const many = scratch.fresh();
    writeFileSync(many, await document.save());
    expect(await codeOf(convert(many, ["pdf", "svg"]))).toBe("too_many_pages");
  });
});
