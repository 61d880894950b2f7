import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { HelperNeeded } from "../../../functions/engines/core/engine.ts";
import { codeOf } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

/** Drawings that librsvg draws incompletely: they are drawn by a browser. */

const scratch = scratchFolder();
const convert = convertingBy("sharp", scratch);
const icon = convertingBy("icons", scratch);

const drawing = (content: string, size = 'width="200" height="100" viewBox="0 0 200 100"') =>
  scratch.file(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${content}</svg>`,
  );

const HTML =
  '<foreignObject x="20" y="20" width="100" height="50"><div xmlns="http://www.w3.org/1999/xhtml" ' +
  'style="background:#00f;width:100px;height:50px">Start</div></foreignObject>';
const ON_PATH =
  '<path id="p" d="M10 80 Q100 10 190 80" fill="none"/><text font-size="30"><textPath href="#p">along a path</textPath></text>';
const FONT = `data:font/ttf;base64,${readFileSync(sampleOf("ttf")).toString("base64")}`;
const OWN_FONT = `<style>@font-face { font-family: Own; src: url(${FONT}) }</style><text x="10" y="80" font-size="80" font-family="Own">AAA</text>`;

const pixelsOf = async (path: string) => {
  const { data, info } = await sharp(path).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { ...info, at: (x: number, y: number) => [...data.subarray((y * info.width + x) * 4).subarray(0, 4)], data };
};

/** @returns the number of pixels that the condition holds for */
const count = (data: Uint8Array, holds: (red: number, green: number, blue: number, alpha: number) => boolean) => {
  let found = 0;
  for (let at = 0; at < data.length; at += 4) {
    found += holds(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0, data[at + 3] ?? 0) ? 1 : 0;
  }
  return found;
};

const drawn = async (content: string, options: Options = {}, to: "jpg" | "png" | "webp" = "png") => {
  const { path, codes } = await convert(drawing(content), ["svg", to], options, "here");
  return { ...(await pixelsOf(path)), codes };
};

describe.skipIf(!isInstalled("chromium"))("a drawing for the browser", () => {
  test("shows HTML and stays transparent elsewhere", async () => {
    const { at, width, height, codes } = await drawn(HTML);
    expect([width, height, codes]).toEqual([200, 100, []]);
    expect(at(100, 60)).toEqual([0, 0, 255, 255]);
    expect(at(1, 1)[3]).toBe(0);
  });

  test("is drawn at the requested size, not enlarged", async () => {
    const { at, width, height, data } = await drawn(`${HTML}<path d="M0 0L200 100" stroke="red" stroke-width="0.5"/>`, {
      width: 1_600,
      height: 1_600,
      fit: "contain",
    });
    expect([width, height]).toEqual([1_600, 1_600]);
    expect(at(800, 400 + 480)).toEqual([0, 0, 255, 255]);
    expect(at(10, 10)[3]).toBe(0);
    // Enlarged from 200 pixels, the line would be blurred and have no pure red.
    expect(
      count(data, (red, green, blue, alpha) => red === 255 && green + blue === 0 && alpha === 255),
    ).toBeGreaterThan(2_000);
  });

  test("has the requested background, and white in JPEG", async () => {
    expect((await drawn(HTML, { background: "#00ff00" })).at(1, 1)).toEqual([0, 255, 0, 255]);
    expect((await drawn(HTML, {}, "jpg")).at(190, 90)).toEqual([255, 255, 255, 255]);
    expect((await drawn(HTML, { width: 100 }, "webp")).width).toBe(100);
  });

  test("shows text on a path", async () => {
    expect(count((await drawn(ON_PATH)).data, (_red, _green, _blue, alpha) => alpha > 128)).toBeGreaterThan(300);
  });

  test.each(["😀", "&#x1F600;", "&#128512;"])("shows the emoji %s in color", async (emoji) => {
    const { data } = await drawn(`<text x="40" y="80" font-size="70">${emoji}</text>`);
    expect(
      count(data, (red, green, blue, alpha) => alpha === 255 && red > 200 && green > 120 && blue < 120),
    ).toBeGreaterThan(500);
  });

  test("uses its own fonts", async () => {
    const [own, other] = await Promise.all([drawn(OWN_FONT), drawn(OWN_FONT.replace(FONT, "data:,"))]);
    expect(Buffer.compare(own.data, other.data)).not.toBe(0);
  });

  test("becomes an icon", async () => {
    const { path } = await icon(drawing(HTML, 'viewBox="0 0 130 90"'), ["svg", "icns"], {}, "here");
    expect(readFileSync(path).length).toBeGreaterThan(1_000);
  });

  test("runs no scripts, fetches nothing, and says what was left out", async () => {
    const { at, codes } = await drawn(
      `${HTML}<rect id="r" width="9" height="9" fill="#0f0"/><script>document.getElementById("r").setAttribute("fill","#f00")</script>` +
        '<image href="https://example.com/a.png" width="50" height="50"/><image href="file:///etc/passwd" width="5" height="5"/>',
    );
    expect(at(4, 4)).toEqual([0, 255, 0, 255]);
    expect(codes).toEqual(["remote_content_dropped"]);
  });

  test("can have more pixels than the browser captures at once", async () => {
    const { path } = await convert(drawing(HTML), ["svg", "png"], { width: 8_000 }, "here");
    const { data } = await sharp(path).resize(200, 100).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray((60 * 200 + 60) * 4).subarray(0, 4)]).toEqual([0, 0, 255, 255]);
    expect([...data.subarray((98 * 200 + 198) * 4).subarray(3, 4)]).toEqual([0]);
  });
});

describe("without a browser in this lane", () => {
  test.each([HTML, ON_PATH, OWN_FONT, "<text>✅</text>", "<text>&#9989;</text>"])(
    "a drawing that needs one moves to the lane that has one (%#)",
    async (content) => {
      await expect(convert(drawing(content), ["svg", "png"], {}, "elsewhere")).rejects.toBeInstanceOf(HelperNeeded);
    },
  );

  test.each([
    '<text x="5" y="50">Plain words © 2026 ™ 1</text>',
    '<!-- <foreignObject/> 😀 --><title>Smile 😀</title><circle r="9"/>',
    '<switch><foreignObject requiredExtensions="http://ns.adobe.com/AdobeIllustrator/10.0/" width="1" height="1"/><g/></switch>',
  ])("librsvg draws all others (%#)", async (content) => {
    const { codes } = await convert(drawing(content), ["svg", "png"], {}, "elsewhere");
    expect(codes).toEqual([]);
  });

  test("a warning names what a deployment without a browser leaves out", async () => {
    const { warnings } = await convert(drawing(HTML + ON_PATH), ["svg", "png"]);
    expect(warnings.map(({ code }) => code)).toEqual(["drawing_incomplete"]);
    expect(warnings[0]?.detail).toContain("HTML (`foreignObject`), text on a path (`textPath`).");
  });

  test("damaged drawings are rejected", async () => {
    const broken = scratch.file('<svg xmlns="http://www.w3.org/2000/svg"><foreignObject></svg>');
    expect(await codeOf(convert(broken, ["svg", "png"], {}, "here"))).toBe("source_corrupt");
  });
});
