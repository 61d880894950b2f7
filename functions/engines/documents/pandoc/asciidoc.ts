import type { Warning } from "../../../domain/warning.ts";
import { INCLUDES_DROPPED } from "./tree.ts";

/** AsciiDoc, which pandoc only writes, as DocBook. */
interface DocBook {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/**
 * Converts AsciiDoc to DocBook 5 with Asciidoctor in its mode `secure`: it opens no files and no connections, and the
 * document can set no attribute that would allow that.
 */
export const docBookOf = async (text: string): Promise<DocBook> => {
  const { convert, LoggerManager, NullLogger } = await import("@asciidoctor/core");
  // It logs to the standard error stream.
  LoggerManager.setLogger(new NullLogger());
  const own = text.replace(INCLUDE, "");
  const made = await convert(own, {
    safe: "secure",
    backend: "docbook5",
    standalone: true,
    // Without the date of the conversion.
    attributes: { reproducible: "" },
  });
  return {
    text: String(made).replace(
      ADMONITION,
      (start, kind: string) => `${start}<title><emphasis role="strong">${LABELS[kind] ?? kind}</emphasis></title>`,
    ),
    warnings: own === text ? [] : [INCLUDES_DROPPED],
  };
};

/** A line that includes another file. Secure mode would turn it into a link to that file. */
const INCLUDE = /^include::\S[^\n]{0,4000}\[[^\n]{0,4000}\][ \t]*$/gm;

/** Admonitions without a title: pandoc would lose their kind. */
const ADMONITION = /<(note|tip|important|warning|caution)(?: [^<>]*)?>(?!\s*<title>)/g;

const LABELS: Readonly<Record<string, string>> = {
  note: "Note",
  tip: "Tip",
  important: "Important",
  warning: "Warning",
  caution: "Caution",
};
