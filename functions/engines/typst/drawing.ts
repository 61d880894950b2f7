import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/jobs.ts";
import type { Options } from "../../domain/options.ts";
import { checkDrawing } from "../io/drawing-check.ts";
import { type Compiled, compile, TypstError } from "./compiler.ts";
import { pageLayout } from "./page.ts";

const DRAWING = "drawing.svg";

/**
 * Makes a page of a drawing, as shapes and text. References to files and to the network are not followed.
 *
 * @throws JobError `source_corrupt`, `unsupported_feature`
 */
export const drawingToPdf = (svg: Buffer, options: Options): Compiled => {
  checkDrawing(svg);
  const bytes = Buffer.from(withFonts(withoutLinked(svg.toString("utf8"))));
  const dropped = LINKED.test(svg.toString("utf8"));
  try {
    const compiled = compile(codeOf(options), [{ name: DRAWING, bytes }]);
    return { ...compiled, warnings: dropped ? [...compiled.warnings, REMOTE] : compiled.warnings };
  } catch (error) {
    throw error instanceof TypstError ? translated(error) : error;
  }
};

const REMOTE: Warning = {
  code: "remote_content_dropped",
  detail: "Pictures that the drawing only refers to were left out, because nothing is fetched.",
};

const translated = (error: TypstError): JobError =>
  /failed to parse|invalid|not well|decode|malformed/i.test(error.message)
    ? new JobError("source_corrupt", "The SVG could not be read.", { cause: error })
    : new JobError("unsupported_feature", "The SVG uses a feature that cannot be drawn here.", { cause: error });

const codeOf = (options: Options): string => {
  const { page_size: size = "auto", page_margin: margin = 0 } = options;
  if (size === "auto") {
    return `#set page(width: auto, height: auto, margin: ${margin}mm)\n#image("/${DRAWING}")`;
  }
  const { code, width, height } = pageLayout({ ...options, page_margin: margin });
  return `${code}\n#set align(center + horizon)\n#image("/${DRAWING}", width: ${width}pt, height: ${height}pt, fit: "contain")`;
};

/** A picture within a drawing that is not in the file. Attributes may hold `>`. */
const LINKED =
  /<(?:\w+:)?(?:image|feImage)\b(?:[^<>"']|"[^"<]*"|'[^'<]*')*?\bhref\s*=\s*(?:"(?!\s*(?:data:|#))[^"]*"|'(?!\s*(?:data:|#))[^']*')/;

/** Takes the reference off; the element then draws nothing. */
const withoutLinked = (svg: string): string =>
  svg.replace(new RegExp(LINKED, "g"), (tag) =>
    tag.replace(/(?<![\w:])(?:\w+:)?href\s*=\s*(?:"[^"]*"|'[^']*')$/, 'data-left-out=""'),
  );

/** Names of families that stand for a kind of font, and the font of that kind that is always there. */
const FONTS = [
  [/\bsans-serif\b|\bArial\b|\bHelvetica\b|\bVerdana\b/g, "DejaVu Sans"],
  [/\bmonospace\b|\bCourier New\b|\bCourier\b|\bConsolas\b/g, "DejaVu Sans Mono"],
  [/(?<!-)\bserif\b|\bTimes New Roman\b|\bTimes\b/g, "DejaVu Serif"],
] as const;

const withFonts = (svg: string): string =>
  svg.replace(/\bfont(?:-family)?\s*[:=][^;<>]{1,300}/g, (family) =>
    FONTS.reduce((text, [names, font]) => text.replace(names, font), family),
  );
