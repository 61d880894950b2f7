import type { Block, PageLayout, Run, Section } from "../layout/model.ts";
import { around } from "../page/geometry.ts";
import { bodyOf, paragraphsIn } from "../write/flow.ts";
import { twips, val, w } from "./elements.ts";
import type { Frame } from "./paragraphs.ts";

/** Consecutive pages of one size with the same running lines: one or several sections of Word. */
export interface Sheet {
  /** Without their text, apart from running lines. */
  readonly pages: readonly PageLayout[];
  readonly width: number;
  readonly height: number;
  /** Distances of the body from the edges of the paper. */
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
  /** The pages whose running lines stand for those of all pages, the first page, and even pages. */
  readonly running: Readonly<Partial<Record<RunningKind, PageLayout>>>;
  /** Height on the page that the lowest text reaches. */
  readonly lowest: number;
  /** Height below it that is missing for text that is higher in another font. */
  readonly missing: number;
  /** Distance of the header from the top, and of the footer from the bottom. */
  readonly headerTop: number;
  readonly footerBottom: number;
  /** Printed number of the first page and its format, if Word would count otherwise. */
  readonly count?: { readonly start: number; readonly fmt: string } | undefined;
}

export type RunningKind = "default" | "first" | "even";
export const RUNNING_KINDS: readonly RunningKind[] = ["default", "first", "even"];

/** Difference in points of equal pages. */
const SIZE_SLACK = 2;
/** Free height at the bottom, so that a page whose fonts are replaced stays one page. */
const BOTTOM_SLACK = 24;
/** Free height if no text goes on from one page to the next, and the margin then. */
const LAST_SLACK = 40;
const LAST_MARGIN = 24;
/** Free height below which a page is full: its text goes on without a break, so that no page is nearly empty. */
export const FULL_SLACK = 16;
const BOTTOM_MARGIN_MIN = 40;
/** Distance from the edge of the paper to which a footer may be lower than printed, so that there is free height above it. */
const FOOTER_EDGE = 18;
/** Word's largest side is 22 inches. */
const SIDE_MAX = 1_584;

/** @returns the page with the extent of its blocks, without the text in them */
export const outlineOf = (page: PageLayout): PageLayout => ({
  ...page,
  sections: page.sections.map((section) => ({
    ...section,
    columns: section.columns.map((column) => ({ ...column, blocks: column.blocks.map(emptied) })),
  })),
  notes: page.notes.map((note) => ({ ...note, blocks: note.blocks.map(emptied) })),
  ...{ floats: [], fields: [], turned: [] },
});

const emptied = <B extends Block>(block: B): B => ({ ...block, runs: [], lines: [], cells: [], text: undefined });

/** @param pages outlines of all pages @returns the sheets of the document; each page is in one */
export const sheetsOf = (pages: readonly PageLayout[], facing: boolean): Sheet[] => {
  const groups: PageLayout[][] = [];
  for (const page of pages) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (
      group !== undefined &&
      last !== undefined &&
      isSameSize(page, last) &&
      (endsOpen(last) || fits(page, group, facing))
    ) {
      group.push(page);
    } else {
      groups.push([page]);
    }
  }
  let next = 1;
  return groups.map((group) => {
    const sheet = sheetOf(group, facing, next);
    next = (sheet.count?.start ?? next) + group.length;
    return sheet;
  });
};

const isSameSize = (one: PageLayout, other: PageLayout): boolean =>
  Math.abs(one.width - other.width) < SIZE_SLACK && Math.abs(one.height - other.height) < SIZE_SLACK;

export const lowestOf = (page: PageLayout): number => Math.max(0, ...bodyOf(page).map(({ bottom }) => bottom));

const endsOpen = ({ sections }: PageLayout): boolean => {
  const block = sections.at(-1)?.columns.at(-1)?.blocks.at(-1);
  return block !== undefined && block.kind !== "figure" && block.open;
};

/** @returns the running lines as text: equal lines are written once. Page numbers are fields. */
const keyOf = ({ header, footer }: PageLayout): string =>
  [header, footer]
    .map((blocks) =>
      paragraphsIn(blocks)
        .flatMap(({ runs }) => runs.map(({ field, text }) => field ?? text))
        .join(""),
    )
    .join("\n");

/** @returns whether the running lines of a page are those of the sheet; its first page may have others */
const fits = (page: PageLayout, group: readonly PageLayout[], facing: boolean): boolean => {
  const same = facing ? group.slice(1).filter((other) => parityOf(other) === parityOf(page)) : group.slice(1);
  return same[0] === undefined || keyOf(same[0]) === keyOf(page);
};

/** Share of pages for which left and right pages must differ. */
const FACING_MIN = 0.8;

/** @returns whether even and odd pages have different running lines */
export const isFacing = (pages: readonly PageLayout[]): boolean => {
  const keys = pages.slice(1).map(keyOf);
  const pairs = keys.slice(2).filter((key, index) => key === keys[index] && key !== keys[index + 1]).length;
  return keys.length > 3 && pairs >= FACING_MIN * (keys.length - 2);
};

const sheetOf = (pages: readonly PageLayout[], facing: boolean, next: number): Sheet => {
  const [first, second = first] = pages;
  if (first === undefined) {
    throw new TypeError("A sheet has pages.");
  }
  const width = Math.min(SIDE_MAX, Math.max(72, first.width));
  const height = Math.min(SIDE_MAX, Math.max(72, first.height));
  const boxes = pages.flatMap(({ sections }) =>
    sections.flatMap(({ columns }) => columns.filter(({ blocks }) => blocks.length > 0)),
  );
  const notes = pages.flatMap((page) => page.notes.flatMap(({ blocks }) => blocks.map(({ bottom }) => bottom)));
  const tops = boxes.flatMap(({ blocks }) => blocks.map((block) => block.top));
  const bottoms = [...boxes.flatMap(({ blocks }) => blocks.map((block) => block.bottom)), ...notes];
  const within = (points: number, most: number) => Math.max(0, Math.min(most, Number.isFinite(points) ? points : 72));
  const left = within(leftOf(pages), width / 3);
  const top = within(Math.min(...tops), height / 2);
  const lowest = Math.max(...bottoms);
  const goesOn = pages.slice(0, -1).some((page) => endsOpen(page) || lowestOf(page) > lowest - FULL_SLACK);
  const free = goesOn ? BOTTOM_SLACK : LAST_SLACK;
  const bottom = within(height - lowest - free, goesOn ? Math.max(top, BOTTOM_MARGIN_MIN) : LAST_MARGIN);
  const right = within(width - Math.max(...boxes.map((box) => box.right)), Math.max(left, 18));
  const running = facing
    ? {
        default: pages.slice(1).find((page) => parityOf(page) === 1),
        even: pages.slice(1).find((page) => parityOf(page) === 0),
      }
    : { default: second };
  const differs = keyOf(first) !== keyOf((facing && parityOf(first) === 0 ? running.even : running.default) ?? first);
  const usual = running.default ?? first;
  // Word moves the body away from running lines, so they may not reach into it.
  const headers = usual.header.length === 0 ? { top: 36, bottom: 36 } : around(usual.header);
  const footers = usual.footer.length === 0 ? { top: height - 36, bottom: height - 36 } : around(usual.footer);
  const footerHeight = footers.bottom - footers.top;
  const below = height - lowest - footerHeight;
  const footerBottom = Math.min(
    Math.max(0, Math.min(height - footers.bottom, below - 1)),
    Math.max(FOOTER_EDGE, below - BOTTOM_SLACK),
  );
  const even = "even" in running ? { even: running.even ?? usual } : {};
  return {
    ...{ pages, width, height, top, right, bottom, left, lowest },
    running: { default: usual, ...even, ...(differs && { first }) },
    headerTop: Math.max(0, Math.min(36, top - 2, headers.top, top - (headers.bottom - headers.top) - 1)),
    footerBottom,
    missing: Math.max(0, LAST_SLACK - (height - lowest - Math.max(bottom, footerBottom + footerHeight))),
    count: countOf(pages, next),
  };
};

/** @returns the left edge of columns side by side, whose first one cannot be indented as a block; else that of all columns */
const leftOf = (pages: readonly PageLayout[]): number => {
  const sections = pages.flatMap((page) =>
    page.sections.map(({ columns }) => columns.filter(({ blocks }) => blocks.length > 0)),
  );
  const split = sections.filter((columns) => columns.length > 1);
  return Math.min(...(split.length > 0 ? split : sections).flat().map((column) => column.left));
};

const parityOf = (page: PageLayout): number => (printedOf(page)?.number ?? page.number) % 2;

const pageRun = ({ header, footer }: PageLayout): Run | undefined =>
  [...paragraphsIn(header), ...paragraphsIn(footer)].flatMap(({ runs }) => runs).find(({ field }) => field === "page");

const printedOf = (page: PageLayout): { readonly number: number; readonly fmt: string } | undefined => {
  const text = pageRun(page)?.text.trim() ?? "";
  if (/^\d{1,5}$/.test(text)) {
    return { number: Number(text), fmt: "decimal" };
  }
  return /^[ivxl]{1,8}$/i.test(text)
    ? { number: romanOf(text.toLowerCase()), fmt: text === text.toLowerCase() ? "lowerRoman" : "upperRoman" }
    : undefined;
};

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50 };

const romanOf = (text: string): number =>
  [...text].reduce((sum, sign, index) => {
    const [own = 0, after = 0] = [ROMAN[sign], ROMAN[text[index + 1] ?? ""]];
    return sum + (own < after ? -own : own);
  }, 0);

const countOf = (pages: readonly PageLayout[], next: number): Sheet["count"] => {
  const index = pages.findIndex((page) => printedOf(page) !== undefined);
  const page = pages[index];
  const printed = page === undefined ? undefined : printedOf(page);
  const start = (printed?.number ?? next) - index;
  return printed === undefined || start < 0 || (start === next && printed.fmt === "decimal")
    ? undefined
    : { start, fmt: printed.fmt };
};

/** How far a single line may extend into the margin, and into the space between columns. */
const MARGIN_SLACK = 8;

/** @returns the columns of a section in Word: they reach from margin to margin */
export const framesOf = ({ columns }: Section, sheet: Sheet): Frame[] => {
  const ordered = columns.toSorted((one, other) => one.left - other.left);
  const frames = new Map(
    ordered.map((column, index) => {
      const left = index === 0 ? sheet.left : column.left;
      const after = ordered[index + 1];
      const right =
        after === undefined ? sheet.width - sheet.right : Math.max(left + 12, Math.min(column.right, after.left - 6));
      const slack = Math.min(MARGIN_SLACK, Math.max(0, (after?.left ?? sheet.width) - right - 6));
      return [column, { left, right, column, slack }] as const;
    }),
  );
  return columns.flatMap((column) => frames.get(column) ?? []);
};

/** @returns whether both are the same columns */
export const sameFrames = (one: readonly Frame[], other: readonly Frame[]): boolean =>
  one.length === other.length &&
  one.every(({ left, right }, index) => {
    const second = other[index];
    return (
      second !== undefined &&
      Math.abs(left - second.left) < COLUMN_SLACK &&
      Math.abs(right - second.right) < COLUMN_SLACK
    );
  });

const COLUMN_SLACK = 12;

interface SectionProperties {
  readonly sheet: Sheet;
  readonly frames: readonly Frame[];
  readonly type: "nextPage" | "continuous";
  /** References to header and footer parts; empty if the section before has the same. */
  readonly references: string;
  /** Whether the section starts the sheet. */
  readonly first: boolean;
  readonly rtl: boolean;
}

/** @returns the properties of a section, in the order of the schema (CT_SectPr) */
export const sectionXml = ({ sheet, frames, type, references, first, rtl }: SectionProperties): string => {
  const { width, height, top, right, bottom, left, running } = sheet;
  const landscape = width > height ? { orient: "landscape" } : {};
  return w(
    "sectPr",
    {},
    references,
    val("type", type),
    w("pgSz", { w: twips(width), h: twips(height), ...landscape }),
    w("pgMar", {
      ...{ top: twips(top), right: twips(right), bottom: twips(bottom), left: twips(left) },
      ...{ header: twips(sheet.headerTop), footer: twips(sheet.footerBottom), gutter: 0 },
    }),
    first && sheet.count !== undefined ? w("pgNumType", { fmt: sheet.count.fmt, start: sheet.count.start }) : "",
    columnsXml(frames),
    first && running.first !== undefined ? "<w:titlePg/>" : "",
    rtl ? "<w:bidi/>" : "",
  );
};

const columnsXml = (frames: readonly Frame[]): string => {
  const ordered = frames.toSorted((one, other) => one.left - other.left);
  if (ordered.length < 2) {
    return w("cols", { space: 720 });
  }
  const columns = ordered.map(({ left, right }, index) => {
    const after = ordered[index + 1];
    return w("col", {
      w: twips(right - left),
      space: after === undefined ? 0 : Math.max(0, twips(after.left - right)),
    });
  });
  return w("cols", { num: columns.length, equalWidth: 0 }, ...columns);
};
