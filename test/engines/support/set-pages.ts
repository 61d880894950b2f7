import type { Options } from "../../../functions/domain/options.ts";
import { checkByQpdf, type PageView, viewPdf } from "./pdf.ts";
import type { Scratch } from "./scratch.ts";
import { convertingBy } from "./task.ts";

/** A document that was set on pages, as another reader sees it. */
interface SetPages {
  readonly path: string;
  readonly codes: readonly string[];
  readonly pages: readonly PageView[];
  readonly text: string;
}

/** @returns a function that sets a source on pages by Typst, in this process */
export const settingPages = (scratch: Scratch) => {
  const convert = convertingBy("typst", scratch);
  return async (source: string, from: "html" | "txt" | "svg", options: Options = {}): Promise<SetPages> => {
    const { path, codes } = await convert(scratch.file(source), [from, "pdf"], options);
    checkByQpdf(path);
    const pages = await viewPdf(path);
    return { path, codes, pages, text: pages.map(({ text }) => text.replaceAll("\r", "")).join("\n") };
  };
};
