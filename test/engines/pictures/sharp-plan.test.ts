import { describe, expect, test } from "vitest";
import { type Header, planPicture } from "../../../functions/engines/pictures/sharp/plan.ts";

const photo: Header = { space: "srgb", hasAlpha: false, hasProfile: true, pages: 1, uniform: false };

describe("the plan for sharp", () => {
  const cases: readonly [string, Parameters<typeof planPicture>, Partial<ReturnType<typeof planPicture>>][] = [
    [
      "keeps profile and metadata of a photo",
      [{ from: "jpg", to: "webp", options: {} }, photo],
      { metadata: "all", colorSpace: "srgb", resize: undefined, flatten: undefined, frames: 1, warnings: [] },
    ],
    [
      "omits a profile that the target does not support",
      [{ from: "jpg", to: "gif", options: {} }, photo],
      { metadata: "no_profile" },
    ],
    [
      "omits a CMYK profile, because the pixels become RGB",
      [
        { from: "jpg", to: "png", options: {} },
        { ...photo, space: "cmyk" },
      ],
      { metadata: "no_profile", colorSpace: "srgb" },
    ],
    [
      "keeps a gray profile only when the image stays gray",
      [
        { from: "png", to: "webp", options: {} },
        { ...photo, space: "b-w" },
      ],
      { metadata: "no_profile", colorSpace: "srgb" },
    ],
    [
      "works in color when a gray image gets a color background",
      [
        { from: "png", to: "png", options: { background: "#f00" } },
        { ...photo, space: "grey16" },
      ],
      { workspace: "rgb16", colorSpace: "rgb16" },
    ],
    [
      "stays gray when the background is gray",
      [
        { from: "png", to: "jpg", options: { background: "#888" } },
        { ...photo, space: "b-w" },
      ],
      { workspace: undefined, colorSpace: "b-w", metadata: "all" },
    ],
    [
      "converts 16 bits to sRGB by name when metadata is removed",
      [
        { from: "png", to: "tiff", options: { strip_metadata: "all" } },
        { ...photo, space: "rgb16" },
      ],
      { metadata: "none", toSrgb: true, colorSpace: "rgb16" },
    ],
    [
      "renders an SVG of any size",
      [{ from: "svg", to: "png", options: { width: 10 } }, photo],
      {
        input: { failOn: "error", autoOrient: true, limitInputPixels: false },
        resize: { width: 10, height: undefined, fit: "inside", background: "#0000" },
      },
    ],
  ];
  test.each(cases)("%s", (_, [task, header], expected) => {
    expect(planPicture(task, header)).toMatchObject(expected);
  });
});
