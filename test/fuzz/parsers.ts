import type { Parser } from "./parser.ts";
import { binaryParsers } from "./parsers/binaries.ts";
import { calendarParsers } from "./parsers/calendar.ts";
import { containerParsers } from "./parsers/containers.ts";
import { pageParsers } from "./parsers/pages.ts";
import { requestParsers } from "./parsers/requests.ts";
import { subtitleParsers } from "./parsers/subtitles.ts";
import { tableParsers } from "./parsers/tables.ts";
import { treeParsers } from "./parsers/trees.ts";

/** All parsers of ours that strangers' bytes reach. */
export const parsers: readonly Parser[] = [
  ...requestParsers,
  ...calendarParsers,
  ...subtitleParsers,
  ...tableParsers,
  ...treeParsers,
  ...containerParsers,
  ...pageParsers,
  ...binaryParsers,
];
