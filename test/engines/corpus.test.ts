import { mkdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { mainTargets } from "../../bench/faithful/corpus/main-targets.ts";
import { planRoutes, type Route } from "../../functions/domain/conversions/plan.ts";
import { jobErrors } from "../../functions/domain/errors/job-errors.ts";
import type { JobErrorCode } from "../../functions/domain/errors.ts";
import { detectFormat } from "../../functions/domain/formats/detect.ts";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import { DETECTION_BYTES } from "../../functions/domain/limits.ts";
import { converterPool } from "../../functions/engines/core/run.ts";
import { installedEngines } from "../../local/engines/installed.ts";
import { codeOf } from "./support/convert.ts";
import { scratchFolder } from "./support/scratch.ts";

/**
 * Real files, good and bad, from a folder outside the repository, set in `ANYFORM_CORPUS`. Its `MANIFEST.tsv` has a
 * line for each file: the path in the first column, and `valid`, `corrupt` or `hostile` in the fifth. Each file is
 * converted to the main target of its family.
 */

const corpus = process.env.ANYFORM_CORPUS ?? "";

/** The first bytes of a file, without a picture, sound or film. */
const HEADERS: Readonly<Record<string, JobErrorCode>> = {
  "image/file__fixture-sony-zv-e10.arw": "unsupported_feature",
  "image/file__fixture4.nef": "unsupported_feature",
  "image/file__fixture.rw2": "unsupported_feature",
  "video/file__fixture.f4v": "source_corrupt",
  "audio/file__fixture.voc": "unsupported_feature",
};

/** Complete files that cannot be converted, and why. */
const REFUSED: Readonly<Record<string, JobErrorCode>> = {
  // ImageMagick returns no pixels for a JPEG XL with premultiplied alpha.
  "image/conformance__input.jxl": "source_corrupt",
  // Half-float blocks (BC6H).
  "image/pillow__bc6h.dds": "unsupported_feature",
  // Numbers 2013 and later store tables in a form that the reader supports only partially.
  "document/tika__tableNames.numbers": "unsupported_feature",
  // Its shapes are in a separate file.
  "model/assimp__BoxTextured.gltf": "unsupported_feature",
  // LibreOffice cannot open encrypted PowerPoint 97, and reports this drawing as damaged.
  "document/poi__Password_Protected-hello.ppt": "unsupported_feature",
  "document/tika__testDXF_ascii_win_newlines.dxf": "source_corrupt",
  // Bitmap subtitles in a video stream.
  "subtitle/subtitleedit__sample_VodSub_nonStandardLength.sub": "unsupported_feature",
  // Encrypted, without a known password.
  "archive/tika__test-documents-enc.rar": "password_required",
};

/** Results detected as another format: an empty archive has no signature, and a Java archive is a zip. */
const DETECTED: Readonly<Record<string, FormatId | undefined>> = {
  "archive/yauzl__empty.zip": undefined,
  "archive/poi__adapter-javahl-1.12.0.jar": "jar",
};

const routes = planRoutes(new Set(installedEngines().keys()));

const routeOf = (format: FormatId, filename: string): Route | undefined =>
  mainTargets(format, filename)
    .map((target) => routes.find(format, target))
    .find((route) => route !== undefined);

const rowOf = ([file = "", , , , kind = ""]: readonly string[]) => {
  const bytes = readFileSync(join(corpus, file));
  const [head, tail] = [bytes.subarray(0, DETECTION_BYTES), bytes.subarray(-DETECTION_BYTES)];
  const format = detectFormat(head, { tail, filename: basename(file) });
  return { file, kind, route: format && routeOf(format, basename(file)) };
};

const rows =
  corpus === ""
    ? []
    : readFileSync(join(corpus, "MANIFEST.tsv"), "utf8")
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => rowOf(line.split("\t")))
        .flatMap(({ file, kind, route }) => (route === undefined ? [] : [{ file, kind, route, to: route.to }]));

/** At least 94 of 100 complete files in listed formats are converted. */
const REFUSED_SHARE_MAX = 0.06;

/** All files of the corpus are small; a conversion that takes longer is a hanging engine. */
const TIME = { timeoutMs: 150_000 };

describe.skipIf(corpus === "")("corpus (set ANYFORM_CORPUS to its folder)", () => {
  const scratch = scratchFolder();
  const pool = converterPool({
    size: availableParallelism(),
    entry: join(import.meta.dirname, "../../functions/engines/core/converter.ts"),
  });
  afterAll(() => pool.stop());

  const converted = ({ file, route }: (typeof rows)[number]) => {
    const folder = scratch.fresh();
    mkdirSync(folder);
    return pool.run({ input: join(corpus, file), folder, steps: route.steps, options: {} }, TIME);
  };

  test("contains files in listed formats", () => {
    expect(rows.length).toBeGreaterThan(150);
  });

  test("converts nearly all valid files", () => {
    const valid = rows.filter(({ file, kind }) => kind === "valid" && !(file in HEADERS));
    const refused = valid.filter(({ file }) => file in REFUSED);
    expect(refused).toHaveLength(Object.keys(REFUSED).length);
    expect(refused.length / valid.length).toBeLessThan(REFUSED_SHARE_MAX);
  });

  test.concurrent.each(rows.filter(({ kind }) => kind === "valid"))("converts $file to $to", async (row) => {
    const refusal = REFUSED[row.file] ?? HEADERS[row.file];
    if (refusal !== undefined) {
      expect(await codeOf(converted(row))).toBe(refusal);
      return;
    }
    const { output, bundled } = await converted(row);
    const bytes = readFileSync(output);
    const hints = { tail: bytes.subarray(-DETECTION_BYTES), filename: basename(output) };
    expect(statSync(output).size).toBeGreaterThan(0);
    expect(detectFormat(bytes.subarray(0, DETECTION_BYTES), hints)).toBe(
      row.file in DETECTED ? DETECTED[row.file] : bundled ? "zip" : row.to,
    );
  });

  test.concurrent.each(rows.filter(({ kind }) => kind !== "valid"))(
    "converts $file ($kind) or rejects it with a specific error, without a crash",
    async (row) => {
      const run = converted(row);
      const ended = await run.then(
        () => "converted",
        () => codeOf(run),
      );
      const refusals = Object.entries(jobErrors).filter(([, { fault }]) => fault === "input");
      expect(["converted", ...refusals.map(([code]) => code)]).toContain(ended);
    },
  );
});
