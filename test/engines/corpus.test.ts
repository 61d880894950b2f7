import { mkdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { detectFormat } from "../../functions/domain/detect.ts";
import { type JobErrorCode, jobErrors } from "../../functions/domain/errors.ts";
import type { Family } from "../../functions/domain/format.ts";
import { type FormatId, formatOf } from "../../functions/domain/formats.ts";
import { DETECTION_BYTES } from "../../functions/domain/limits.ts";
import { planRoutes, type Route } from "../../functions/domain/routes.ts";
import { converterPool } from "../../functions/engines/run.ts";
import { installedEngines } from "../../local/engines.ts";
import { codeOf } from "./support/convert.ts";
import { scratchFolder } from "./support/scratch.ts";

/**
 * Real files, good and bad, from a folder outside the repository: `ANYFORM_CORPUS` tells where. Its `MANIFEST.tsv` has a
 * line for each file: path first, and fifth whether it is `valid`, `corrupt` or `hostile`. Each is converted to the main
 * target of its family.
 */

const corpus = process.env.ANYFORM_CORPUS ?? "";

/** What most people want of a family; where a file is that already, the next. */
const MAIN: Readonly<Record<Family, readonly FormatId[]>> = {
  image: ["png", "jpg"],
  vector: ["png"],
  document: ["pdf", "png", "txt"],
  presentation: ["pdf"],
  ebook: ["epub", "txt"],
  spreadsheet: ["csv"],
  data: ["json", "csv"],
  archive: ["zip", "tar"],
  font: ["ttf", "woff2"],
  subtitle: ["srt", "vtt"],
  geo: ["geojson", "kml"],
  model: ["glb", "stl"],
  mail: ["html", "json"],
  audio: ["mp3", "wav"],
  video: ["mp4", "webm"],
};

/** Valid files that we cannot convert, and why. */
const REFUSED: Readonly<Record<string, JobErrorCode>> = {
  // ImageMagick gives no pixels for a JPEG XL whose alpha is premultiplied.
  "image/conformance__input.jxl": "unsupported_feature",
  // Blocks of half floats (BC6H).
  "image/pillow__bc6h.dds": "unsupported_feature",
  // Only the first bytes of what a camera wrote.
  "image/file__fixture-sony-zv-e10.arw": "unsupported_feature",
  "image/file__fixture4.nef": "unsupported_feature",
  // Numbers of 2013 and later keep tables in a way that the reader knows in part.
  "document/tika__tableNames.numbers": "unsupported_feature",
  // Its shapes are in another file.
  "model/assimp__BoxTextured.gltf": "unsupported_feature",
  // LibreOffice opens no encrypted PowerPoint 97, and takes this drawing for damaged.
  "document/poi__Password_Protected-hello.ppt": "unsupported_feature",
  "document/tika__testDXF_ascii_win_newlines.dxf": "source_corrupt",
  // Twelve bytes of a film.
  "video/file__fixture.f4v": "source_corrupt",
  // Subtitles as pictures, in the stream of a film.
  "subtitle/subtitleedit__sample_VodSub_nonStandardLength.sub": "unsupported_feature",
  // It is encrypted, and nobody gives the password.
  "archive/tika__test-documents-enc.rar": "password_required",
};

/** Results that are told for something else: an archive of nothing has no marks, and a Java archive is a zip. */
const TOLD: Readonly<Record<string, FormatId | undefined>> = {
  "archive/yauzl__empty.zip": undefined,
  "archive/poi__adapter-javahl-1.12.0.jar": "jar",
};

const routes = planRoutes(new Set(installedEngines().keys()));

/** Fonts whose outlines are PostScript, which an OTF holds, and a TTF does not. */
const POSTSCRIPT = ["file__fixture-otto.woff", "fonttools__TestWOFF.woff"];

const routeOf = (format: FormatId, filename: string): Route | undefined => {
  const main: readonly FormatId[] = POSTSCRIPT.includes(filename) ? ["otf"] : MAIN[formatOf(format).family];
  const targets = main.filter((target) => target !== format);
  return targets.map((target) => routes.find(format, target)).find((route) => route !== undefined);
};

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

/** Of 100 valid files of formats that we list, at least 94 are converted; some hold no more than their first bytes. */
const REFUSED_SHARE_MAX = 0.06;

/** No file of the corpus is large; one that takes longer hangs an engine. */
const TIME = { timeoutMs: 60_000 };

describe.skipIf(corpus === "")("the corpus (set ANYFORM_CORPUS to its folder)", () => {
  const scratch = scratchFolder();
  const pool = converterPool({
    size: availableParallelism(),
    entry: join(import.meta.dirname, "../../functions/engines/converter.ts"),
  });
  afterAll(() => pool.stop());

  const converted = ({ file, route }: (typeof rows)[number]) => {
    const folder = scratch.fresh();
    mkdirSync(folder);
    return pool.run({ input: join(corpus, file), folder, steps: route.steps, options: {} }, TIME);
  };

  test("has files of ours", () => {
    expect(rows.length).toBeGreaterThan(150);
  });

  test("is of which we convert nearly all that are valid", () => {
    const valid = rows.filter(({ kind }) => kind === "valid");
    const refused = valid.filter(({ file }) => file in REFUSED);
    expect(refused).toHaveLength(Object.keys(REFUSED).length);
    expect(refused.length / valid.length).toBeLessThan(REFUSED_SHARE_MAX);
  });

  test.concurrent.each(rows.filter(({ kind }) => kind === "valid"))("$file becomes $to", async (row) => {
    const refusal = REFUSED[row.file];
    if (refusal !== undefined) {
      expect(await codeOf(converted(row))).toBe(refusal);
      return;
    }
    const { output, bundled } = await converted(row);
    const bytes = readFileSync(output);
    const hints = { tail: bytes.subarray(-DETECTION_BYTES), filename: basename(output) };
    expect(statSync(output).size).toBeGreaterThan(0);
    expect(detectFormat(bytes.subarray(0, DETECTION_BYTES), hints)).toBe(
      row.file in TOLD ? TOLD[row.file] : bundled ? "zip" : row.to,
    );
  });

  test.concurrent.each(rows.filter(({ kind }) => kind !== "valid"))(
    "$file, $kind, is converted or refused for what it is, and nothing crashes",
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
