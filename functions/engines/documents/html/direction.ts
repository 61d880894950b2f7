import { attributeOf, elementsBelow, type HtmlElement, isText, nodesBelow } from "./tree.ts";

/** Right-to-left letters, and all letters (Unicode Bidirectional Algorithm, P2). */
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const LETTER = /\p{L}/u;

/** @returns whether the first letter of a text belongs to a right-to-left script */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? "");

/** Adds a right-to-left direction to every block that begins with such a letter and declares no direction. */
export const addDirections = (body: HtmlElement): void => {
  for (const block of elementsBelow(body, "p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "dt", "dd")) {
    if (attributeOf(block, "dir") === undefined && beginsRightToLeft(block)) {
      block.attrs.push({ name: "dir", value: "rtl" });
    }
  }
};

const beginsRightToLeft = (block: HtmlElement): boolean => {
  for (const node of nodesBelow(block)) {
    if (isText(node) && LETTER.test(node.value)) {
      return isRightToLeft(node.value);
    }
  }
  return false;
};
