import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { below, childOf, xmlOf } from "../read/xml.ts";
import { type GridCell, type GridCells, joinHyphens } from "../result.ts";
import type { PageLines, Truth } from "../score.ts";
import { outputsOf } from "../tools.ts";

/** A PDF from elsewhere, in the folder of `--files`. */
export interface RealFile {
  readonly path: string;
  readonly kind: string;
  readonly truth: Truth;
}

/** Tables marked by hand. A cell is its text, or its text with its extent. */
interface MarkedFile {
  readonly sha256: string;
  /** Rows of cells of all tables of the file; empty if it has none. */
  readonly tables: readonly (readonly (readonly MarkedCell[])[])[];
  /** Whether other areas of the file may be tables as well. */
  readonly partial?: boolean;
}

type MarkedCell = string | { readonly text: string; readonly rows?: number; readonly columns?: number };

/**
 * Reads the folder: PDFs; `README.txt` with their classes (file, tab, class); `NAME.xml` for `NAME.pdf`: its tables in
 * the format of the ICDAR 2013 table competition. Other tables are marked in `bench/pdf/truth/*.json`. The order of
 * words is compared with that of `pdftotext`, page by page with its three orders. Running titles and page numbers are not
 * part of it.
 */
export const realFiles = async (folder: string, cache: string): Promise<RealFile[]> => {
  const list = existsSync(join(folder, "README.txt")) ? await readFile(join(folder, "README.txt"), "utf8") : "";
  const kinds = new Map(list.split("\n").map((line) => [line.split("\t")[0] ?? "", line.split("\t")[1] ?? ""]));
  const marked = await markedFiles();
  const withoutOrder = new Map(WITHOUT_ORDER);
  const names = (await readdir(folder)).filter((name) => name.endsWith(".pdf")).sort();
  const files: RealFile[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const hash = createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
    const kept = join(cache, "pdftotext-pages", `${hash}.json`);
    const tables = marked.get(hash) ?? { grids: await competitionGrids(path.replace(/\.pdf$/u, ".xml")) };
    files.push({
      path,
      kind: kinds.get(name) ?? "other",
      truth: { orders: withoutOrder.has(hash) ? [] : await ordersOf(path, kept), ...tables, words: [] },
    });
  }
  return files;
};

const markedFiles = async (): Promise<Map<string, Pick<Truth, "grids" | "partial">>> => {
  const names = (await readdir(import.meta.dirname)).filter((name) => name.endsWith(".json"));
  const texts = await Promise.all(names.map((name) => readFile(join(import.meta.dirname, name), "utf8")));
  const files = texts.flatMap((text) => JSON.parse(text) as MarkedFile | MarkedFile[]);
  return new Map(files.map(({ sha256, tables, partial = false }) => [sha256, { grids: tables.map(placed), partial }]));
};

/** Puts each cell into the next free place of its row. */
const placed = (rows: readonly (readonly MarkedCell[])[]): GridCells => {
  const taken = new Set<string>();
  return rows.flatMap((line, row) => {
    let column = 0;
    return line.map((source): GridCell => {
      const { text, rows: height = 1, columns: width = 1 } = typeof source === "string" ? { text: source } : source;
      while (taken.has(`${row} ${column}`)) {
        column += 1;
      }
      const cell = { row, column, rows: height, columns: width, text };
      for (let at = 0; at < height * width; at += 1) {
        taken.add(`${row + Math.floor(at / width)} ${column + (at % width)}`);
      }
      column += width;
      return cell;
    });
  });
};

const competitionGrids = async (path: string): Promise<GridCells[] | undefined> => {
  if (!existsSync(path)) {
    return undefined;
  }
  const regions = below(xmlOf(await readFile(path, "utf8")), "region");
  return regions.map((region) =>
    below(region, "cell").map((cell): GridCell => {
      const {
        "start-row": top = "0",
        "start-col": left = "0",
        "end-row": bottom = top,
        "end-col": right = left,
      } = cell.attributes;
      const [row, column] = [Number(top), Number(left)];
      const text = childOf(cell, "content")?.text ?? "";
      return { row, column, rows: Number(bottom) - row + 1, columns: Number(right) - column + 1, text };
    }),
  );
};

/** Files whose text `pdftotext` reads wrongly in every order, by SHA-256, and why. */
const WITHOUT_ORDER: readonly (readonly [string, string])[] = [
  ["7ac8ec08037168a6c55e770e577341483b6bff4de604c3410857248ae9f371c6", "mirrored pages: letters backward"],
  ["752304c24a50834d111793fc038cafc892c071d04f214072729c41a178c161e7", "a font without an encoding: other characters"],
  ["874175bf3dbc1135f8adb556a394ed313bd61df04517a546c5549e0250787b40", "three tables side by side, read line by line"],
  [
    "b1f583f7c226f6f14d1b2e8898b5cea2e2806b9d991f4de7e763941c9b48515f",
    "cards of voters in three columns, read line by line",
  ],
  ["7c2dcadaa18195e631e1eb3d6994f9714c79852168516524b61ee33b7b34d0b3", "vertical lines: one character per line"],
];

/** Fewer words do not make a reference. */
const REFERENCE_WORDS_MIN = 10;
/** `pdftotext` turns ligatures of Arabic round, and places numbers differently. */
const RTL_SHARE_MAX = 0.2;

/** @returns the pages by `pdftotext` in its three orders, kept in the cache; none for scans and where they are known to be wrong */
const ordersOf = async (path: string, kept: string): Promise<PageLines[][]> => {
  if (!existsSync(kept)) {
    await mkdir(dirname(kept), { recursive: true });
    await writeFile(kept, JSON.stringify(await readTexts(path)));
  }
  const texts = JSON.parse(await readFile(kept, "utf8")) as string[];
  return texts.map((text) => bodyPages(text, paragraphLines(texts[0] ?? "")));
};

const readTexts = async (path: string): Promise<string[]> => {
  const modes = [[], ["-layout"], ["-raw"]];
  const outputs = await Promise.all(modes.map((mode) => outputsOf("pdftotext", [...mode, path, "-"])));
  // Without the data for a font's encoding, text is missing.
  const isComplete = outputs.every(({ stderr }) => !stderr.includes("language pack"));
  return outputs.flatMap(({ stdout }) => {
    const letters = stdout.match(/\p{L}/gu)?.length ?? 0;
    const rtl = stdout.match(/[\p{Script=Arabic}\p{Script=Hebrew}]/gu)?.length ?? 0;
    const words = stdout.split(/\s+/u).length;
    const isReference = isComplete && words >= REFERENCE_WORDS_MIN && rtl <= RTL_SHARE_MAX * letters;
    return isReference ? [stdout] : [];
  });
};

const EDGE_LINES = 3;
/** Lines of text may be repeated by chance, too; running titles are shorter. */
const TITLE_WORDS_MAX = 15;

/** @returns the lines of a text without running titles and page numbers, hyphenated words joined */
export const bodyLines = (text: string): string[] => joinHyphens(bodyPages(text).flat());

const withoutSpaces = (line: string): string => line.replaceAll(/\s+/gu, " ").trim();

/** @returns for each page the lines of paragraphs: of blocks between empty lines that are longer than a running title */
const paragraphLines = (text: string): ReadonlySet<string>[] =>
  text.split("\f").map((page) => {
    const blocks = page.split(/\n\s*\n/u).map((block) => block.split("\n").map(withoutSpaces).filter(Boolean));
    return new Set(blocks.filter(({ length }) => length > EDGE_LINES).flat());
  });

/**
 * @param paragraphs lines of each page that are no running titles
 * @returns the lines of each page without page numbers, and without lines at the same place on half of the pages
 */
const bodyPages = (text: string, paragraphs: readonly ReadonlySet<string>[] = []): string[][] => {
  const pages = text.split("\f").map((page) => page.split("\n").filter((line) => line.trim() !== ""));
  const filled = pages.filter((lines) => lines.length > 0).length;
  const keyOf = (line: string, index: number, { length }: readonly string[]): string =>
    `${index < EDGE_LINES ? index : index - length} ${withoutSpaces(line.replaceAll(/\d+/gu, "#"))}`;
  const edges = pages.map((lines) => new Set(lines.map(keyOf)));
  return pages.map((lines, page) =>
    lines.filter((line, index) => {
      const count = edges.filter((edge) => edge.has(keyOf(line, index, lines))).length;
      const isRepeated = count >= 2 && count * 2 >= filled && line.trim().split(/\s+/u).length <= TITLE_WORDS_MAX;
      const atEdge = index < EDGE_LINES || index >= lines.length - EDGE_LINES;
      const isTitle = isRepeated && (count === filled || paragraphs[page]?.has(withoutSpaces(line)) !== true);
      return !(atEdge && (isTitle || /^\s*\d+\s*$/u.test(line)));
    }),
  );
};

export const fileName = (path: string): string => basename(path, ".pdf");
