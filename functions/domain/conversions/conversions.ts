import { archiveConversions } from "./by-engine/archives/archive.ts";
import { sevenZipConversions } from "./by-engine/archives/seven-zip.ts";
import { arrowConversions } from "./by-engine/data/arrow.ts";
import { duckdbConversions } from "./by-engine/data/duckdb.ts";
import { sheetConversions } from "./by-engine/data/sheets.ts";
import { sqliteConversions } from "./by-engine/data/sqlite.ts";
import { structuredConversions } from "./by-engine/data/structured.ts";
import { textTableConversions } from "./by-engine/data/text-tables.ts";
import { calibreConversions } from "./by-engine/documents/calibre.ts";
import { chromiumConversions } from "./by-engine/documents/chromium.ts";
import { docxConversions } from "./by-engine/documents/docx.ts";
import { epubConversions } from "./by-engine/documents/epub.ts";
import { fb2Conversions } from "./by-engine/documents/fb2.ts";
import { markupConversions } from "./by-engine/documents/markup.ts";
import { mobiConversions } from "./by-engine/documents/mobi.ts";
import { pandocConversions } from "./by-engine/documents/pandoc.ts";
import { sofficeConversions } from "./by-engine/documents/soffice.ts";
import { webConversions } from "./by-engine/documents/web.ts";
import { xpsConversions } from "./by-engine/documents/xps.ts";
import { fontConversions } from "./by-engine/fonts/fonts.ts";
import { calendarConversions } from "./by-engine/mail/calendar.ts";
import { mailConversions } from "./by-engine/mail/mail.ts";
import { gdalConversions } from "./by-engine/maps/gdal.ts";
import { geoPointConversions } from "./by-engine/maps/geo-points.ts";
import { ffmpegConversions } from "./by-engine/media/ffmpeg.ts";
import { fluidsynthConversions } from "./by-engine/media/fluidsynth.ts";
import { subtitleConversions } from "./by-engine/media/subtitles.ts";
import { assimpConversions } from "./by-engine/models/assimp.ts";
import { meshConversions } from "./by-engine/models/mesh.ts";
import { occtConversions } from "./by-engine/models/occt.ts";
import { threeConversions } from "./by-engine/models/three.ts";
import { ghostscriptConversions } from "./by-engine/pdf/ghostscript.ts";
import { pdfiumConversions } from "./by-engine/pdf/pdfium.ts";
import { pdflibConversions } from "./by-engine/pdf/pdflib.ts";
import { popplerConversions } from "./by-engine/pdf/poppler.ts";
import { qpdfConversions } from "./by-engine/pdf/qpdf.ts";
import { tesseractConversions } from "./by-engine/pdf/tesseract.ts";
import { avifConversions } from "./by-engine/pictures/avif.ts";
import { hdrConversions } from "./by-engine/pictures/hdr.ts";
import { heifConversions } from "./by-engine/pictures/heif.ts";
import { iconConversions } from "./by-engine/pictures/icons.ts";
import { jxrConversions } from "./by-engine/pictures/jxr.ts";
import { magickConversions } from "./by-engine/pictures/magick.ts";
import { sharpConversions } from "./by-engine/pictures/sharp.ts";
import { svgzConversions } from "./by-engine/pictures/svgz.ts";
import { vectorizerConversions } from "./by-engine/pictures/vectorizer.ts";
import type { Conversion, ConversionRow } from "./conversion.ts";
import { type EngineId, engineIds } from "./engines.ts";

/**
 * The conversions of each engine. A new conversion only needs a row in the file of its engine and a fixture in
 * `test/fixtures`.
 */
const byEngine: Readonly<Record<EngineId, readonly ConversionRow[]>> = {
  archive: archiveConversions,
  avif: avifConversions,
  calendar: calendarConversions,
  calibre: calibreConversions,
  chromium: chromiumConversions,
  docx: docxConversions,
  arrow: arrowConversions,
  duckdb: duckdbConversions,
  epub: epubConversions,
  fb2: fb2Conversions,
  ffmpeg: ffmpegConversions,
  fluidsynth: fluidsynthConversions,
  fonts: fontConversions,
  gdal: gdalConversions,
  "geo-points": geoPointConversions,
  ghostscript: ghostscriptConversions,
  hdr: hdrConversions,
  heif: heifConversions,
  icons: iconConversions,
  jxr: jxrConversions,
  magick: magickConversions,
  mail: mailConversions,
  markup: markupConversions,
  mesh: meshConversions,
  mobi: mobiConversions,
  assimp: assimpConversions,
  occt: occtConversions,
  pandoc: pandocConversions,
  qpdf: qpdfConversions,
  pdfium: pdfiumConversions,
  pdflib: pdflibConversions,
  poppler: popplerConversions,
  "seven-zip": sevenZipConversions,
  sharp: sharpConversions,
  sheets: sheetConversions,
  soffice: sofficeConversions,
  sqlite: sqliteConversions,
  structured: structuredConversions,
  subtitles: subtitleConversions,
  svgz: svgzConversions,
  tesseract: tesseractConversions,
  "text-tables": textTableConversions,
  three: threeConversions,
  vectorizer: vectorizerConversions,
  web: webConversions,
  xps: xpsConversions,
};

/** Of two equal routes, the one whose engine comes first in the table of engines is chosen. */
export const conversions: readonly Conversion[] = engineIds.flatMap((engine) =>
  byEngine[engine].flatMap(({ from, ...row }) => from.map((source) => ({ from: source, engine, ...row }))),
);
