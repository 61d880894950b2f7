import type { Conversion, ConversionRow } from "./conversion.ts";
import { archiveConversions } from "./conversions/archives.ts";
import { audioConversions } from "./conversions/audio.ts";
import { booksConversions } from "./conversions/books.ts";
import { documentConversions } from "./conversions/documents.ts";
import { fontConversions } from "./conversions/fonts.ts";
import { geoConversions } from "./conversions/geo.ts";
import { mailConversions } from "./conversions/mail.ts";
import { markupConversions } from "./conversions/markup.ts";
import { modelConversions } from "./conversions/models.ts";
import { officeConversions } from "./conversions/office.ts";
import { pageConversions } from "./conversions/pages.ts";
import { paperConversions } from "./conversions/papers.ts";
import { pictureConversions } from "./conversions/pictures.ts";
import { printsConversions } from "./conversions/prints.ts";
import { readingsConversions } from "./conversions/readings.ts";
import { subtitleConversions } from "./conversions/subtitles.ts";
import { tableConversions } from "./conversions/tables.ts";
import { treeConversions } from "./conversions/trees.ts";
import { videoConversions } from "./conversions/video.ts";

/** A new conversion is a row in one of these tables and a fixture in `test/fixtures`, and nothing else. */
const rows: readonly ConversionRow[] = [
  ...pictureConversions,
  ...pageConversions,
  ...paperConversions,
  ...documentConversions,
  ...tableConversions,
  ...treeConversions,
  ...archiveConversions,
  ...fontConversions,
  ...subtitleConversions,
  ...geoConversions,
  ...modelConversions,
  ...mailConversions,
  ...officeConversions,
  ...markupConversions,
  ...printsConversions,
  ...booksConversions,
  ...readingsConversions,
  ...audioConversions,
  ...videoConversions,
];

export const conversions: readonly Conversion[] = rows.flatMap(({ from, ...row }) =>
  from.map((source) => ({ from: source, ...row })),
);
