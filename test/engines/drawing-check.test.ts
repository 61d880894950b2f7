import { describe, expect, test } from "vitest";
import { DRAWING_FILTER_STEPS_MAX, DRAWING_REFERRED_MAX } from "../../functions/domain/conversion-limits.ts";
import { checkDrawing } from "../../functions/engines/io/drawing-check.ts";

const check = (inside: string): void =>
  checkDrawing(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`));
const SHAPE = '<path d="M0 0h9v9z"/>';
const BLUR = '<feGaussianBlur stdDeviation="1"/>';

/** Symbols of symbols, each ten times the one before. */
const grown = (levels: number): string =>
  `<g id="u0">${SHAPE}</g>${Array.from({ length: levels }, (_, level) => `<g id="u${level + 1}">${`<use href="#u${level}"/>`.repeat(10)}</g>`).join("")}<use href="#u${levels}"/>`;

describe("what is drawn by reference", () => {
  test("is counted as often as it is referred to, symbols within symbols too", () => {
    expect(() => check(grown(3))).not.toThrow();
    expect(() => check(grown(5))).toThrow(`over ${DRAWING_REFERRED_MAX} elements by reference`);
  });

  test("is counted in the order of no file: a symbol may stand behind its use", () => {
    const behind = grown(5).split("</g>").toReversed().join("</g>").replace("</g>", "");
    expect(() => check(`${behind}</g>`)).toThrow("by reference");
  });

  test("counts once where it goes in a circle, because readers break off there", () => {
    expect(() => check(`<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g><use href="#a"/>`)).not.toThrow();
  });

  test("may be a symbol tens of thousands of times, as on maps, and a colour that each shape names", () => {
    expect(() => check(`<symbol id="s">${SHAPE}</symbol>${'<use href="#s"/>'.repeat(40_000)}`)).not.toThrow();
    const colour = `<linearGradient id="c">${"<stop/>".repeat(20)}</linearGradient>`;
    expect(() => check(`${colour}${'<path fill="url(#c)"/>'.repeat(100_000)}`)).not.toThrow();
  });

  test("may not be a chain that never ends", () => {
    const chain = Array.from({ length: 50_000 }, (_, link) => `<g id="c${link}"><use href="#c${link + 1}"/></g>`);
    expect(() => check(chain.join(""))).toThrow("by reference");
  });
});

describe("filters", () => {
  test("are counted each time that they are applied", () => {
    const applied = (times: number) =>
      `<filter id="f">${BLUR.repeat(10)}</filter>${'<g filter="url(#f)"/>'.repeat(times)}`;
    expect(() => check(applied(DRAWING_FILTER_STEPS_MAX / 10 - 1))).not.toThrow();
    expect(() => check(applied(DRAWING_FILTER_STEPS_MAX / 10))).toThrow("steps of filters");
  });

  test("may lie in one another as deep as a drawing has use for", () => {
    const nested = (depth: number) => `${'<g style="filter:url(#f)">'.repeat(depth)}${SHAPE}${"</g>".repeat(depth)}`;
    expect(() => check(nested(16))).not.toThrow();
    expect(() => check(nested(17))).toThrow("filters in one another");
  });

  test.each([
    ['<feTurbulence numOctaves="4"/>', '<feTurbulence numOctaves="400"/>'],
    ['<feMorphology radius="3, 3"/>', '<feMorphology radius="3, 300"/>'],
    ['<feConvolveMatrix order="5"/>', '<feConvolveMatrix order="500"/>'],
  ])("may reach as far as %s, not as far as %s", (near, far) => {
    expect(() => check(near)).not.toThrow();
    expect(() => check(far)).toThrow("reaches further");
  });

  test("of a drawing within the drawing are looked at as well, however it is written", () => {
    const inner = '<svg><feTurbulence numOctaves="400"/></svg>';
    expect(() => check(`<image href="data:image/svg+xml;base64,${btoa(inner)}"/>`)).toThrow("reaches further");
    expect(() => check(`<image href="data:image/svg+xml,${encodeURIComponent(inner)}"/>`)).toThrow("reaches further");
  });
});

test("letters are counted in each text and in all, and names of shapes are no letters", () => {
  expect(() => check(`<text>${"x".repeat(5_000)}</text>`)).not.toThrow();
  expect(() => check(`<text>${"<tspan>xxxxxxxxxx</tspan>".repeat(501)}</text>`)).toThrow("a text of over");
  expect(() => check(`<text>${"x".repeat(4_000)}</text>`.repeat(80))).toThrow("letters");
  expect(() => check(`<title>${"x".repeat(400_000)}</title>`)).not.toThrow();
});

test("elements may be nested as deep as libxml2 reads them, and references to entities may not grow", () => {
  expect(() => check(`${"<g>".repeat(250)}${"</g>".repeat(250)}`)).not.toThrow();
  expect(() => check(`${"<g>".repeat(300)}${"</g>".repeat(300)}`)).toThrow("elements deep");
  const declared = (times: number) =>
    `<!DOCTYPE svg [<!ENTITY a "${"x".repeat(1_000)}">]><svg>${"&a;".repeat(times)}</svg>`;
  expect(() => checkDrawing(Buffer.from(declared(100)))).not.toThrow();
  expect(() => checkDrawing(Buffer.from(declared(2_000)))).toThrow("entities that grow");
});
