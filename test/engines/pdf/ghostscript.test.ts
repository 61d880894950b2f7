import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { engineIds, isDeployable } from "../../../functions/domain/conversions/engines.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { missingPrograms } from "../../../local/engines/installed.ts";
import { codeOf } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { PICTURE_COLORS } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, convertingByRoute, isInstalled } from "../support/task.ts";
import { distance, viewByMagick } from "../support/views.ts";

/** PostScript with Ghostscript, which only the operator installs. */

const scratch = scratchFolder();
const toPdf = (program: string) =>
  convertingBy("ghostscript", scratch)(scratch.file(Buffer.from(`%!PS-Adobe-3.0\n${program}\n`)), ["eps", "pdf"]);

describe("an optional engine", () => {
  test("is in no deployment, and not reported as missing", () => {
    expect(isDeployable("ghostscript")).toBe(false);
    expect(missingPrograms("")).not.toContain("gs");
  });

  test("has no routes where it is not installed", () => {
    const routes = planRoutes(new Set(engineIds.filter((engine) => engine !== "ghostscript")));
    expect(routes.all.filter(({ from }) => from === "eps")).toEqual([]);
    expect(planRoutes(new Set(engineIds)).find("eps", "png")?.steps).toHaveLength(2);
  });
});

describe.skipIf(!isInstalled("ghostscript"))("Ghostscript", () => {
  test("draws an EPS in its bounding box, with its colors", async () => {
    const { output } = await convertingByRoute(scratch)(sampleOf("eps"), ["eps", "png"]);
    const { pixels, width, height } = await viewByMagick(output, "png");
    expect(width / height).toBeCloseTo(1.5, 1);
    for (const [index, color] of PICTURE_COLORS.entries()) {
      const [x, y] = [index % 2 === 0 ? 0.25 : 0.75, index < 2 ? 0.25 : 0.75];
      const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 3;
      expect(distance(pixels.subarray(at, at + 3), Uint8Array.from(color))).toBeLessThan(4);
    }
  });

  test("draws an EPS that does not show its page, and all pages of a PostScript file", async () => {
    const { output } = await convertingByRoute(scratch)(
      scratch.file(Buffer.from("%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 60 40\n0 0 60 40 rectfill\n")),
      ["eps", "png"],
    );
    expect((await viewByMagick(output, "png")).width).toBeGreaterThan(59);
    const text = "/Helvetica findfont 20 scalefont setfont 72 700 moveto (Page) show showpage";
    const pages = scratch.file(Buffer.from(`%!PS\n${text}\n${text}\n`));
    const { bundled } = await convertingByRoute(scratch)(pages, ["eps", "jpg"]);
    expect(bundled).toBe(true);
  });

  test.each([
    ["reads another file", "(/etc/passwd) (r) file closefile showpage", "unsupported_feature"],
    ["writes another file", "(FILE) (w) file closefile showpage", "unsupported_feature"],
    ["starts a program", "(%pipe%touch FILE) (w) file closefile showpage", "unsupported_feature"],
    ["has an error", "1 0 div showpage", "source_corrupt"],
    ["draws no page", "0 setpage quit", "source_corrupt"],
  ])("rejects a program that %s", async (_, program, code) => {
    const path = join(scratch.folder, "written");
    expect(await codeOf(toPdf(program.replace("FILE", path)))).toBe(code);
    expect(existsSync(path)).toBe(false);
  });
});
