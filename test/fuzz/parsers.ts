import type { Parser } from "./parser.ts";
import { binaryParsers } from "./parsers/binaries.ts";
import { calendarParsers } from "./parsers/calendar.ts";
import { containerParsers } from "./parsers/containers.ts";
import { modelParsers } from "./parsers/models.ts";
import { originParsers } from "./parsers/origins.ts";
import { pageParsers } from "./parsers/pages.ts";
import { pictureParsers } from "./parsers/pictures.ts";
import { requestParsers } from "./parsers/requests.ts";
import { signInParsers } from "./parsers/sign-in.ts";
import { structuredParsers } from "./parsers/structured.ts";
import { subtitleParsers } from "./parsers/subtitles.ts";
import { tableParsers } from "./parsers/tables.ts";

/** All our parsers that read untrusted bytes. */
export const parsers: readonly Parser[] = [
  ...requestParsers,
  ...signInParsers,
  ...originParsers,
  ...calendarParsers,
  ...subtitleParsers,
  ...tableParsers,
  ...structuredParsers,
  ...containerParsers,
  ...pageParsers,
  ...binaryParsers,
  ...pictureParsers,
  ...modelParsers,
];
