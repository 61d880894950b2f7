import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { checkPicture, checkResult, fitted } from "../../../functions/domain/conversions/picture-sizes.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";

describe("an image of 400 × 200 is resized", () => {
  const cases: readonly [Options, scaled: [number, number], result: [number, number]][] = [
    [{}, [400, 200], [400, 200]],
    [{ fit: "cover" }, [400, 200], [400, 200]],
    [{ width: 100 }, [100, 50], [100, 50]],
    [{ height: 400 }, [800, 400], [800, 400]],
    [{ width: 1 }, [1, 1], [1, 1]],
    [{ width: 100, height: 100 }, [100, 50], [100, 50]],
    [{ width: 100, height: 100, fit: "outside" }, [200, 100], [200, 100]],
    [{ width: 100, height: 100, fit: "cover" }, [200, 100], [100, 100]],
    [{ width: 100, height: 100, fit: "contain" }, [100, 50], [100, 100]],
    [{ width: 100, height: 100, fit: "fill" }, [100, 100], [100, 100]],
    [{ width: 100, fit: "fill" }, [100, 50], [100, 50]],
    [{ height: 100, fit: "contain" }, [200, 100], [200, 100]],
  ];
  test.each(cases)("with %j", (options, [scaledWidth, scaledHeight], [width, height]) => {
    expect(fitted({ width: 400, height: 200 }, options)).toEqual({
      scaled: { width: scaledWidth, height: scaledHeight },
      result: { width, height },
    });
  });
});

const code = "too_many_pixels";
const square = (side: number) => ({ width: side, height: side });
const check = (width: number, height: number, to: FormatId) =>
  checkResult({ ...fitted({ width, height }, {}), frames: 1, to });

describe("limits", () => {
  test("accept 100 megapixels but not one row more, counting all frames", () => {
    expect(() => checkPicture(square(10_000))).not.toThrow();
    expect(() => checkPicture({ width: 10_000, height: 10_001 })).toThrow(expect.objectContaining({ code }));
    expect(() => checkPicture(square(1_000), 100)).not.toThrow();
    expect(() => checkPicture(square(1_000), 101)).toThrow(expect.objectContaining({ code }));
    expect(() => checkPicture(square(1), 2_001)).toThrow(expect.objectContaining({ code }));
  });

  test("apply the maximum dimensions of the result's format exactly", () => {
    expect(() => check(16_383, 1, "webp")).not.toThrow();
    expect(() => check(16_384, 1, "webp")).toThrow(expect.objectContaining({ code }));
    expect(() => check(1, 65_535, "jpg")).not.toThrow();
    expect(() => check(1, 65_536, "jpg")).toThrow(expect.objectContaining({ code }));
    expect(() => check(1, 1_000_000, "png")).not.toThrow();
  });

  test("apply the limits of the result's encoder", () => {
    const result = { ...fitted(square(1_000), {}), frames: 2, to: "webp" } as const;
    expect(() => checkResult({ ...result, pixelsMax: 2_000_000 })).not.toThrow();
    expect(() => checkResult({ ...result, pixelsMax: 1_999_999 })).toThrow(expect.objectContaining({ code }));
  });

  test("count pixels that are cropped after scaling, because they are rendered", () => {
    const thin = fitted({ width: 1, height: 1_000 }, { width: 16_000, height: 10, fit: "cover" });
    expect(() => checkResult({ ...thin, frames: 1, to: "png" })).toThrow(expect.objectContaining({ code }));
  });
});
