import type { Options } from "../../domain/options.ts";
import type { Code } from "./code.ts";

const POINTS_PER_MILLIMETRE = 72 / 25.4;

/** Millimetres, upright (ISO 216; ANSI/ASME Y14.1). */
const SIZES = {
  auto: [210, 297],
  a3: [297, 420],
  a4: [210, 297],
  a5: [148, 210],
  letter: [215.9, 279.4],
  legal: [215.9, 355.6],
} as const;

const MARGIN_MILLIMETRES = 20;
/** Millimetres that are left for the text, however wide the margins are. */
const TEXT_MILLIMETRES_MIN = 20;

/** A page for text, and how much of it the text has: in points. */
export interface PageLayout {
  readonly code: Code;
  readonly width: number;
  readonly height: number;
}

/** @param wide whether the text is wider than high, which `page_orientation: "auto"` follows */
export const pageLayout = (options: Options, wide = false): PageLayout => {
  const { page_size: name = "auto", page_orientation: direction = "auto" } = options;
  const [short, long] = SIZES[name];
  const landscape = direction === "auto" ? wide : direction === "landscape";
  const [width, height] = landscape ? [long, short] : [short, long];
  const margin = Math.min(
    options.page_margin ?? MARGIN_MILLIMETRES,
    (Math.min(width, height) - TEXT_MILLIMETRES_MIN) / 2,
  );
  return {
    code: `#set page(width: ${width}mm, height: ${height}mm, margin: ${margin}mm)`,
    width: (width - 2 * margin) * POINTS_PER_MILLIMETRE,
    height: (height - 2 * margin) * POINTS_PER_MILLIMETRE,
  };
};

/**
 * The fonts are looked through in this order for each character, then all others. Libertinus and the mathematical fonts
 * that Typst brings along come last.
 */
export const TEXT_FONTS: Code = '("DejaVu Sans", "Noto Sans", "Noto Sans SC", "Noto Sans CJK SC")';
export const FIXED_FONTS: Code = '("DejaVu Sans Mono", "Noto Sans Mono", "Noto Sans SC", "Noto Sans Mono CJK SC")';
