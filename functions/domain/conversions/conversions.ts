import { archiveConversions } from "./by-engine/archive.ts";
import { calendarConversions } from "./by-engine/calendar.ts";
import { calibreConversions } from "./by-engine/calibre.ts";
import { chromiumConversions } from "./by-engine/chromium.ts";
import { docxConversions } from "./by-engine/docx.ts";
import { duckdbConversions } from "./by-engine/duckdb.ts";
import { epubConversions } from "./by-engine/epub.ts";
import { fb2Conversions } from "./by-engine/fb2.ts";
import { ffmpegConversions } from "./by-engine/ffmpeg.ts";
import { fontConversions } from "./by-engine/fonts.ts";
import { gdalConversions } from "./by-engine/gdal.ts";
import { geoPointConversions } from "./by-engine/geo-points.ts";
import { hdrConversions } from "./by-engine/hdr.ts";
import { heifConversions } from "./by-engine/heif.ts";
import { iconConversions } from "./by-engine/icons.ts";
import { magickConversions } from "./by-engine/magick.ts";
import { mailConversions } from "./by-engine/mail.ts";
import { markupConversions } from "./by-engine/markup.ts";
import { meshConversions } from "./by-engine/mesh.ts";
import { mobiConversions } from "./by-engine/mobi.ts";
import { occtConversions } from "./by-engine/occt.ts";
import { pandocConversions } from "./by-engine/pandoc.ts";
import { pdfiumConversions } from "./by-engine/pdfium.ts";
import { pdflibConversions } from "./by-engine/pdflib.ts";
import { popplerConversions } from "./by-engine/poppler.ts";
import { sevenZipConversions } from "./by-engine/seven-zip.ts";
import { sharpConversions } from "./by-engine/sharp.ts";
import { sheetConversions } from "./by-engine/sheets.ts";
import { sofficeConversions } from "./by-engine/soffice.ts";
import { sqliteConversions } from "./by-engine/sqlite.ts";
import { structuredConversions } from "./by-engine/structured.ts";
import { subtitleConversions } from "./by-engine/subtitles.ts";
import { svgzConversions } from "./by-engine/svgz.ts";
import { tesseractConversions } from "./by-engine/tesseract.ts";
import { textTableConversions } from "./by-engine/text-tables.ts";
import { threeConversions } from "./by-engine/three.ts";
import { vectorizerConversions } from "./by-engine/vectorizer.ts";
import type { Conversion, ConversionRow } from "./conversion.ts";
import { type EngineId, engineIds } from "./engines.ts";

/**
 * The conversions of each engine. A new conversion only needs a row in the file of its engine and a fixture in
 * `test/fixtures`.
 */
const byEngine: Readonly<Record<EngineId, readonly ConversionRow[]>> = {
  archive: archiveConversions,
  calendar: calendarConversions,
  calibre: calibreConversions,
  chromium: chromiumConversions,
  docx: docxConversions,
  duckdb: duckdbConversions,
  epub: epubConversions,
  fb2: fb2Conversions,
  ffmpeg: ffmpegConversions,
  fonts: fontConversions,
  gdal: gdalConversions,
  "geo-points": geoPointConversions,
  hdr: hdrConversions,
  heif: heifConversions,
  icons: iconConversions,
  magick: magickConversions,
  mail: mailConversions,
  markup: markupConversions,
  mesh: meshConversions,
  mobi: mobiConversions,
  occt: occtConversions,
  pandoc: pandocConversions,
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
};

/** Of two equal routes, the one whose engine comes first in the table of engines is chosen. */
export const conversions: readonly Conversion[] = engineIds.flatMap((engine) =>
  byEngine[engine].flatMap(({ from, ...row }) => from.map((source) => ({ from: source, engine, ...row }))),
);
