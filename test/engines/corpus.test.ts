import { mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { detectFormat } from "../../functions/domain/detect.ts";
import { type JobErrorCode, jobErrors } from "../../functions/domain/errors.ts";
import { DETECTION_BYTES } from "../../functions/domain/limits.ts";
import { planRoutes } from "../../functions/domain/routes.ts";
import { converterPool } from "../../functions/engines/run.ts";
import { codeOf } from "./support/convert.ts";
import { scratchFolder } from "./support/scratch.ts";

/**
 * Real files, good and bad, from a folder outside the repository: `ANYFORM_CORPUS` tells where. Its `MANIFEST.tsv` has a
 * line for each file: path first, and fifth whether it is `valid`, `corrupt` or `hostile`.
 */

const corpus = process.env.ANYFORM_CORPUS ?? "";
const rows =
  corpus === ""
    ? []
    : readFileSync(join(corpus, "MANIFEST.tsv"), "utf8")
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => line.split("\t"))
        .map(([file = "", , , , kind = ""]) => ({ file, kind }));

const routes = planRoutes(new Set(["sharp", "magick"]));
const readable = rows.flatMap(({ file, kind }) => {
  const format = detectFormat(readFileSync(join(corpus, file)).subarray(0, DETECTION_BYTES));
  const steps = (format && routes.find(format, "png")?.steps) ?? [];
  return steps.length === 0 ? [] : [{ file, kind, steps }];
});

/** Valid files that we cannot convert, and why. */
const REFUSED: Readonly<Record<string, JobErrorCode>> = {
  // JPEG-LS begins with the bytes of a JPEG, and is another format.
  "image/file__fixture-hp3.jls": "unsupported_feature",
  // ImageMagick gives no pixels for a JPEG XL whose alpha is premultiplied.
  "image/conformance__input.jxl": "unsupported_feature",
};

/** No file of the corpus is large; one that takes longer hangs a decoder. */
const TIME = { timeoutMs: 60_000 };

describe.skipIf(corpus === "")("the corpus (set ANYFORM_CORPUS to its folder)", () => {
  const scratch = scratchFolder();
  const pool = converterPool({
    size: availableParallelism(),
    entry: join(import.meta.dirname, "../../functions/engines/converter.ts"),
  });
  afterAll(() => pool.stop());

  const toPng = ({ file, steps }: (typeof readable)[number]) => {
    const folder = scratch.fresh();
    mkdirSync(folder);
    return pool.run({ input: join(corpus, file), folder, steps, options: {} }, TIME);
  };

  test("has files of ours", () => {
    expect(readable.length).toBeGreaterThan(40);
  });

  test.concurrent.each(readable.filter(({ kind }) => kind === "valid"))("$file is converted", async (row) => {
    const refusal = REFUSED[row.file];
    if (refusal !== undefined) {
      expect(await codeOf(toPng(row))).toBe(refusal);
      return;
    }
    const { output } = await toPng(row);
    expect(await sharp(output).metadata()).toMatchObject({ format: "png" });
  });

  test.concurrent.each(readable.filter(({ kind }) => kind !== "valid"))(
    "$file, $kind, is converted or refused for what it is, and nothing crashes",
    async (row) => {
      const run = toPng(row);
      const ended = await run.then(
        () => "converted",
        () => codeOf(run),
      );
      const refusals = Object.entries(jobErrors).filter(([, { fault }]) => fault === "input");
      expect(["converted", ...refusals.map(([code]) => code)]).toContain(ended);
    },
  );
});
