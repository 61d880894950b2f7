import { type Notes, newNotes } from "../../core/notes.ts";
import { MEDIA_ELEMENTS, pictureSource } from "./rules.ts";
import { attributeOf, elementsBelow, type HtmlDocument, type HtmlElement } from "./tree.ts";

/** Warnings about what was left out of a document, by code. */
const SENTENCES = {
  remote_content_dropped: "Remote pictures or styles were left out because nothing is fetched: #.",
  pictures_dropped:
    "Pictures that are not in the file, have an unknown type or exceed the size limit were left out: #.",
  media_dropped: "Frames, objects, videos or audio were left out: #.",
  styles_dropped: "External style sheets were left out: #.",
  scripts_dropped: "Scripts are not run. Content that they add or change is missing: #.",
} as const;

export type LeftOut = Notes<keyof typeof SENTENCES>;

export const newLeftOut = (): LeftOut => newNotes(SENTENCES);

/** Counts a removed element that shows or plays external content. */
export const countMedia = ({ tagName }: HtmlElement, leftOut: LeftOut): void =>
  leftOut.add("media_dropped", MEDIA_ELEMENTS.has(tagName) ? 1 : 0);

/** Counts a removed link to a style sheet. */
export const countSheet = (link: HtmlElement, leftOut: LeftOut): void => {
  if (/\bstylesheet\b/i.test(attributeOf(link, "rel") ?? "")) {
    const remote = pictureSource(attributeOf(link, "href") ?? "") === "remote";
    leftOut.add(remote ? "remote_content_dropped" : "styles_dropped");
  }
};

/** Media types of scripts that a browser runs. Others are data. */
const SCRIPT_TYPE = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script.*)$/i;

/** Counts the scripts of a document. */
export const countScripts = (document: HtmlDocument, leftOut: LeftOut): void => {
  const scripts = elementsBelow(document, "script");
  leftOut.add(
    "scripts_dropped",
    scripts.filter((each) => SCRIPT_TYPE.test((attributeOf(each, "type") ?? "").trim())).length,
  );
};
