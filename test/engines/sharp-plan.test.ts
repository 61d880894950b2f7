import { describe, expect, test } from "vitest";
import { type Header, planPicture } from "../../functions/engines/sharp/plan.ts";

const photo: Header = { space: "srgb", hasAlpha: false, hasProfile: true, pages: 1, uniform: false };

describe("what sharp is told", () => {
  const cases: readonly [string, Parameters<typeof planPicture>, Partial<ReturnType<typeof planPicture>>][] = [
    [
      "to keep profile and metadata of a photo",
      [{ from: "jpg", to: "webp", options: {} }, photo],
      { metadata: "all", colourspace: "srgb", resize: undefined, flatten: undefined, frames: 1, warnings: [] },
    ],
    [
      "to leave a profile out where the target has none",
      [{ from: "jpg", to: "gif", options: {} }, photo],
      { metadata: "no_profile" },
    ],
    [
      "to leave a CMYK profile out, for the pixels become RGB",
      [
        { from: "jpg", to: "png", options: {} },
        { ...photo, space: "cmyk" },
      ],
      { metadata: "no_profile", colourspace: "srgb" },
    ],
    [
      "to keep a grey profile only while the picture stays grey",
      [
        { from: "png", to: "webp", options: {} },
        { ...photo, space: "b-w" },
      ],
      { metadata: "no_profile", colourspace: "srgb" },
    ],
    [
      "to work in colour when a grey picture gets a coloured background",
      [
        { from: "png", to: "png", options: { background: "#f00" } },
        { ...photo, space: "grey16" },
      ],
      { workspace: "rgb16", colourspace: "rgb16" },
    ],
    [
      "to stay grey when the background is grey",
      [
        { from: "png", to: "jpg", options: { background: "#888" } },
        { ...photo, space: "b-w" },
      ],
      { workspace: undefined, colourspace: "b-w", metadata: "all" },
    ],
    [
      "to convert 16 bits to sRGB by name when the metadata goes",
      [
        { from: "png", to: "tiff", options: { strip_metadata: true } },
        { ...photo, space: "rgb16" },
      ],
      { metadata: "none", toSrgb: true, colourspace: "rgb16" },
    ],
    [
      "to draw an SVG whatever its own size",
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
