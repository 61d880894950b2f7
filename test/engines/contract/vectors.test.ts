import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { distanceMax, expectedPixels, isComparable } from "../support/expected.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH } from "../support/pictures/picture.ts";
import { distance, viewBySharp } from "../support/views.ts";
import { type Check, contract } from "./contract.ts";

/** Tolerance of a traced picture, of 255: edges are smoothed and colors merged. */
const TRACED_DISTANCE_MAX = 6;

/** A drawing of the standard picture looks like it and contains shapes, not an embedded picture. */
const drawing: Check = async ({ path, from, to, fidelity, bundled }) => {
  if (bundled) {
    return;
  }
  const bytes = readFileSync(path);
  const text = (to === "svgz" ? gunzipSync(bytes) : bytes).toString("utf8");
  expect(text).toMatch(/<(?:path|rect|text|g|use)\b/);
  if (!isComparable(from, to)) {
    return;
  }
  expect(text).not.toContain("<image");
  writeFileSync(`${path}.svg`, text);
  const { width, height, pixels } = await viewBySharp(`${path}.svg`);
  expect({ width, height }).toEqual({ width: PICTURE_WIDTH, height: PICTURE_HEIGHT });
  const traced = fidelity === "content_only" ? TRACED_DISTANCE_MAX : 0;
  expect(distance(pixels, expectedPixels(from, to))).toBeLessThan(traced + distanceMax(from, to, "lossless"));
};

/** Each page is a separate file with one page and an end. */
const postScript: Check = ({ path }) =>
  readZip(path, async (zip) => {
    expect(zip.paths.length).toBeGreaterThan(1);
    for (const page of zip.paths) {
      const text = (await zip.read(page))?.toString("latin1") ?? "";
      expect(text).toMatch(
        /^%!PS-Adobe-3\.0 EPSF-3\.0[\s\S]*%%BoundingBox: \d+ \d+ \d+ \d+[\s\S]*\nshowpage[\s\S]*%%EOF\s*$/,
      );
    }
  });

contract("vector", { svg: drawing, svgz: drawing, eps: postScript });
