import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { distanceMax, expectedPixels, isComparable } from "../support/expected.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH } from "../support/picture.ts";
import { distance, viewBySharp } from "../support/views.ts";
import { type Check, contract } from "./contract.ts";

/** How far a traced picture may be off, of 255: edges are smoothed and colours put together. */
const TRACED_DISTANCE_MAX = 6;

/** A drawing of the standard picture looks like it, and holds shapes, not the pixels themselves. */
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

contract("vector", { svg: drawing, svgz: drawing });
