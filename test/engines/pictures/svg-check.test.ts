import { describe, expect, test } from "vitest";
import {
  DRAWING_FILTER_STEPS_MAX,
  DRAWING_REFERRED_MAX,
} from "../../../functions/domain/conversions/conversion-limits.ts";
import { checkDrawing } from "../../../functions/engines/pictures/svg/check.ts";

const check = (inside: string): void =>
  checkDrawing(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`));
const SHAPE = '<path d="M0 0h9v9z"/>';
const BLUR = '<feGaussianBlur stdDeviation="1"/>';

/** Symbols of symbols, each ten times the one before. */
const grown = (levels: number): string =>
  `<g id="u0">${SHAPE}</g>${Array.from({ length: levels }, (_, level) => `<g id="u${level + 1}">${`<use href="#u${level}"/>`.repeat(10)}</g>`).join("")}<use href="#u${levels}"/>`;

describe("elements drawn by reference", () => {
  test("count once per reference, including nested symbols", () => {
    expect(() => check(grown(3))).not.toThrow();
    expect(() => check(grown(5))).toThrow(`more than ${DRAWING_REFERRED_MAX} elements by reference`);
  });

  test("count regardless of file order: a symbol may be defined after its use", () => {
    const definedLater = grown(5).split("</g>").toReversed().join("</g>").replace("</g>", "");
    expect(() => check(`${definedLater}</g>`)).toThrow("by reference");
  });

  test("count once in a reference cycle, because readers stop there", () => {
    expect(() => check(`<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g><use href="#a"/>`)).not.toThrow();
  });

  test("may be a symbol used tens of thousands of times, as on maps, or a color that each shape references", () => {
    expect(() => check(`<symbol id="s">${SHAPE}</symbol>${'<use href="#s"/>'.repeat(40_000)}`)).not.toThrow();
    const color = `<linearGradient id="c">${"<stop/>".repeat(20)}</linearGradient>`;
    expect(() => check(`${color}${'<path fill="url(#c)"/>'.repeat(100_000)}`)).not.toThrow();
  });

  test("must not be an endless chain", () => {
    const chain = Array.from({ length: 50_000 }, (_, link) => `<g id="c${link}"><use href="#c${link + 1}"/></g>`);
    expect(() => check(chain.join(""))).toThrow("by reference");
  });
});

describe("filters", () => {
  test("count each time they are applied", () => {
    const applied = (times: number) =>
      `<filter id="f">${BLUR.repeat(10)}</filter>${'<g filter="url(#f)"/>'.repeat(times)}`;
    expect(() => check(applied(DRAWING_FILTER_STEPS_MAX / 10 - 1))).not.toThrow();
    expect(() => check(applied(DRAWING_FILTER_STEPS_MAX / 10))).toThrow("filter steps");
  });

  test("may be nested as deep as drawings need", () => {
    const nested = (depth: number) => `${'<g style="filter:url(#f)">'.repeat(depth)}${SHAPE}${"</g>".repeat(depth)}`;
    expect(() => check(nested(16))).not.toThrow();
    expect(() => check(nested(17))).toThrow("nested filters");
  });

  test.each([
    ['<feTurbulence numOctaves="4"/>', '<feTurbulence numOctaves="400"/>'],
    ['<feMorphology radius="3, 3"/>', '<feMorphology radius="3, 300"/>'],
    ['<feConvolveMatrix order="5"/>', '<feConvolveMatrix order="500"/>'],
  ])("may have a radius like %s, but not %s", (near, far) => {
    expect(() => check(near)).not.toThrow();
    expect(() => check(far)).toThrow("with a value above");
  });

  test("in an embedded drawing are checked as well, in any encoding", () => {
    const inner = '<svg><feTurbulence numOctaves="400"/></svg>';
    expect(() => check(`<image href="data:image/svg+xml;base64,${btoa(inner)}"/>`)).toThrow("with a value above");
    expect(() => check(`<image href="data:image/svg+xml,${encodeURIComponent(inner)}"/>`)).toThrow(
      "with a value above",
    );
  });
});

test("counts the characters of each text and of all texts, but not element names", () => {
  expect(() => check(`<text>${"x".repeat(5_000)}</text>`)).not.toThrow();
  expect(() => check(`<text>${"<tspan>xxxxxxxxxx</tspan>".repeat(501)}</text>`)).toThrow("a text of more than");
  expect(() => check(`<text>${"x".repeat(4_000)}</text>`.repeat(80))).toThrow("characters");
  expect(() => check(`<title>${"x".repeat(400_000)}</title>`)).not.toThrow();
});

test("allows nesting up to the limit of libxml2, and rejects expanding entity references", () => {
  expect(() => check(`${"<g>".repeat(250)}${"</g>".repeat(250)}`)).not.toThrow();
  expect(() => check(`${"<g>".repeat(300)}${"</g>".repeat(300)}`)).toThrow("elements deep");
  const declared = (times: number) =>
    `<!DOCTYPE svg [<!ENTITY a "${"x".repeat(1_000)}">]><svg>${"&a;".repeat(times)}</svg>`;
  expect(() => checkDrawing(Buffer.from(declared(100)))).not.toThrow();
  expect(() => checkDrawing(Buffer.from(declared(2_000)))).toThrow("entities that expand too much");
});
