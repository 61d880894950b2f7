import { expect } from "vitest";
import { PICTURE_HEIGHT, PICTURE_WIDTH, picturePixels } from "../support/picture.ts";
import { distance, viewByMagick, viewBySharp } from "../support/views.ts";
import { type Check, contract } from "./contract.ts";

/** How far pixels may be off in the mean, of 255: samples of formats that lose are off by 0.3 already. */
const DISTANCE_MAX = { lossless: 0.5, lossy: 4, content_only: 255 } as const;

const samePicture: Check = async ({ path, from, to, engine, fidelity, codes }) => {
  const view = engine === "sharp" ? await viewByMagick(path, to) : await viewBySharp(path);
  expect(view).toMatchObject({ width: PICTURE_WIDTH, height: PICTURE_HEIGHT, orientation: 1, frames: 1 });
  expect(distance(view.pixels, picturePixels())).toBeLessThan(DISTANCE_MAX[fidelity]);
  expect(codes).toEqual(from === "jpg" && to === "tiff" ? ["metadata_dropped"] : []);
};

contract("image", {
  jpg: samePicture,
  png: samePicture,
  webp: samePicture,
  gif: samePicture,
  tiff: samePicture,
  avif: samePicture,
});
