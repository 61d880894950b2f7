import { type Attack, attack, repeated } from "../attack.ts";

/** Drawings that require endless work: elements that contain each other, and shapes without an end. */

const drawing = (inside: string, size = 400): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}">${inside}</svg>`;

const SHAPE = '<path d="M0 0h400v400z"/>';
const filtered = (filter: string): string =>
  `<filter id="f" x="0" y="0" width="1" height="1">${filter}</filter><g filter="url(#f)">${SHAPE}</g>`;

export const drawings: readonly Attack[] = (
  [
    [
      "nested copies",
      `<defs><g id="u0">${SHAPE}</g>${repeated((n) => `<g id="u${n}">${`<use href="#u${n - 1}"/>`.repeat(10)}</g>`)}</defs><use href="#u10"/>`,
    ],
    [
      "nested symbols",
      `${repeated((n) => `<symbol id="s${n}">${`<use xlink:href="#s${n - 1}"/>`.repeat(10)}</symbol>`)}<symbol id="s0">${SHAPE}</symbol><use xlink:href="#s10"/>`,
    ],
    ["a copy that contains itself", `<g id="a"><use href="#a"/>${SHAPE}</g>`],
    ["copies that contain each other", `<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/>${SHAPE}</g>`],
    [
      "nested patterns",
      `${repeated((n) => `<pattern id="p${n}" width="1" height="1" patternUnits="userSpaceOnUse"><rect width="1" height="1" fill="url(#p${n - 1})"/></pattern>`)}<pattern id="p0" width="1" height="1"/><rect width="400" height="400" fill="url(#p10)"/>`,
    ],
    [
      "a pattern that contains itself",
      `<pattern id="p" width="9" height="9"><rect width="9" height="9" fill="url(#p)"/></pattern><rect width="400" height="400" fill="url(#p)"/>`,
    ],
    [
      "a pattern with tiny tiles",
      `<pattern id="p" width="0.0001" height="0.0001" patternUnits="userSpaceOnUse">${SHAPE}</pattern><rect width="400" height="400" fill="url(#p)"/>`,
    ],
    [
      "nested masks",
      `${repeated((n) => `<mask id="m${n}"><g mask="url(#m${n - 1})">${SHAPE.repeat(2)}</g></mask>`, 100)}<mask id="m0"/><g mask="url(#m100)">${SHAPE}</g>`,
    ],
    [
      "a clip path that contains itself",
      `<clipPath id="c" clip-path="url(#c)">${SHAPE}</clipPath><g clip-path="url(#c)">${SHAPE}</g>`,
    ],
    [
      "markers at 100,000 points",
      `<marker id="k" markerWidth="9" markerHeight="9">${SHAPE}</marker><path marker-mid="url(#k)" d="M0 0${"l1 1".repeat(100_000)}"/>`,
    ],
    [
      "a marker that contains itself",
      `<marker id="k"><path marker-start="url(#k)" d="M0 0h9"/></marker><path marker-start="url(#k)" d="M0 0h9"/>`,
    ],
    ["an enormous number of dashes", `<path d="M0 0h1e9" stroke="#000" stroke-dasharray="1e-7"/>`],
    ["a wide blur", filtered('<feGaussianBlur stdDeviation="1e9"/>')],
    ["turbulence with many octaves", filtered('<feTurbulence baseFrequency="9" numOctaves="1000000000"/>')],
    ["a thick shape", filtered('<feMorphology operator="dilate" radius="1000000"/>')],
    ["a large matrix", filtered(`<feConvolveMatrix order="1000" kernelMatrix="${"1 ".repeat(1_000_000)}"/>`)],
    ["a thousand filters", filtered('<feGaussianBlur stdDeviation="50"/>'.repeat(1_000))],
    [
      "nested filters",
      `<filter id="f"><feGaussianBlur stdDeviation="50"/></filter>${'<g filter="url(#f)">'.repeat(200)}${SHAPE}${"</g>".repeat(200)}`,
    ],
    ["an enormous font size", '<text font-size="1e9" y="300">Mountain</text>'],
    ["a text with a million characters", `<text>${"x".repeat(1_000_000)}</text>`],
    [
      "a picture of 20,000 × 20,000",
      `<image width="400" height="400" href="data:image/svg+xml;base64,${btoa(drawing(SHAPE, 20_000))}"/>`,
    ],
    [
      "a drawing that contains itself",
      `<image width="400" height="400" href="data:image/svg+xml;base64,${btoa(drawing(`<image href="data:image/svg+xml;base64,${btoa(drawing(filtered('<feTurbulence numOctaves="1000000"/>')))}"/>`))}"/>`,
    ],
    [
      "a style with many selectors",
      `<style>${repeated((n) => `g g g g g g g g *:nth-child(${n}) {fill:red}`, 5_000)}</style>${"<g>".repeat(100)}${SHAPE.repeat(1_000)}${"</g>".repeat(100)}`,
    ],
  ] as const
).map(([name, inside]) => attack("svg", ["png", "pdf"], name, () => drawing(inside)));
