import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { installedEngines } from "../../../local/engines/installed.ts";
import { checkByQpdf, poppler, viewPdf } from "../support/documents/pdf.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

/** Attachments of a message in the PDF of it. */

const scratch = scratchFolder();
const convert = convertingBy("chromium", scratch);

/** @returns the files that another program takes out of a PDF, by name */
const detached = (path: string): Record<string, string> => {
  const folder = mkdtempSync(join(scratch.folder, "detached-"));
  execFileSync("pdfdetach", ["-saveall", "-o", folder, path]);
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "latin1")]));
};

const hasPoppler = poppler("pdfinfo", "-v") !== undefined;

describe.skipIf(!isInstalled("chromium") || !hasPoppler)("a message with attachments as a PDF", () => {
  test.each(["eml", "msg"] as const)("from %s has them as files, on request", async (format) => {
    const { path, codes } = await convert(sampleOf(format), [format, "pdf"], { attachments: "embed" });
    checkByQpdf(path);
    expect(codes).not.toContain("attachments_dropped");
    expect(detached(path)).toEqual({ "crew Ł.csv": Buffer.from("Name,Crew\nŁukasz,7\n").toString("latin1") });
    expect((await viewPdf(path))[0]?.text).toContain("Harbour report");
  });

  test("without the request lists them and says so", async () => {
    const { path, codes, warnings } = await convert(sampleOf("eml"), ["eml", "pdf"], { attachments: "list" });
    expect(codes).toContain("attachments_dropped");
    expect(warnings.map(({ detail }) => detail).join()).toContain("without their content: 1.");
    expect(detached(path)).toEqual({});
  });

  test("keeps files with the same name, and names that point elsewhere", async () => {
    const part = (name: string, words: string) => [
      "--b",
      `Content-Disposition: attachment; filename="${name}"`,
      "Content-Type: application/x-thing",
      "",
      words,
    ];
    const message = ["From: a@example.com", "To: b@example.com", 'Content-Type: multipart/mixed; boundary="b"', ""];
    const lines = [
      ...message,
      ...part("a.txt", "one"),
      ...part("a.txt", "two"),
      ...part("../../c.txt", "three"),
      "--b--",
      "",
    ];
    const { path } = await convert(scratch.file(lines.join("\r\n")), ["eml", "pdf"], { attachments: "embed" });
    checkByQpdf(path);
    expect(
      Object.values(detached(path))
        .map((words) => words.trim())
        .sort(),
    ).toEqual(["one", "three", "two"]);
  });
});

test("attachments are an option of messages to PDF only, and the default route stays", () => {
  const routes = planRoutes(new Set(installedEngines().keys()));
  expect(routes.optionsOf("eml", "pdf").options).toContain("attachments");
  expect(routes.optionsOf("eml", "docx").options).not.toContain("attachments");
  expect(routes.optionsOf("html", "pdf").options).not.toContain("attachments");
  const steps = (options: string[]) => routes.find("eml", "pdf", options)?.steps.map(({ engine }) => engine);
  expect(steps([])).toEqual(["mail", "chromium"]);
  expect(steps(["attachments"])).toEqual(["chromium"]);
});
