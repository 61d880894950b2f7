import { readXml, type XmlElement } from "../../data/text/xml.ts";
import type { PixelBox, ReadWord } from "./ocr.ts";

/** Areas, paragraphs, lines, words. */
const DEPTH_MAX = 20;

/** What Tesseract found in a picture. */
export interface Hocr {
  readonly words: readonly ReadWord[];
  /** Areas of photos and drawings. */
  readonly photos: readonly PixelBox[];
  /** Whether most words read sideways. */
  readonly sideways: boolean;
}

/** Parses Tesseract's hOCR output: XHTML whose `title` attributes hold the positions. */
export const readHocr = (hocr: string): Hocr => {
  const { root } = readXml(hocr.replace(/^[\s\S]*?(?=<html)/, ""), { depthMax: DEPTH_MAX });
  const elements = elementsIn(root);
  const lines = elements.filter((element) => LINE.test(classOf(element)));
  const words = lines.flatMap(wordsOf);
  const turned = lines.filter(isSideways).flatMap(wordsOf);
  return {
    words,
    sideways: 2 * turned.length > words.length,
    photos: elements.filter((element) => classOf(element) === "ocr_photo").map(boxOf),
  };
};

/** Lines of body text, headings and captions. */
const LINE = /^ocr_(?:line|header|caption|textfloat)$/;

/** Tesseract also reads lines of text that run down or up the page. */
const isSideways = (line: XmlElement): boolean => {
  const { left, top, right, bottom } = boxOf(line);
  return bottom - top > right - left && textIn(line).length >= LETTERS_MIN;
};

/** A line of fewer letters can be higher than wide. */
const LETTERS_MIN = 3;

const wordsOf = (line: XmlElement): ReadWord[] => {
  const place = titleOf(line);
  const { left: from, top, bottom } = boxOf(line);
  const [slope = 0, offset = 0] = numbers(place, "baseline", 2);
  const [size = bottom - top] = numbers(place, "x_size", 1);
  return elementsIn(line)
    .filter((element) => classOf(element) === "ocrx_word")
    .map((element) => {
      const { left, right } = boxOf(element);
      const [confidence = 0] = numbers(titleOf(element), "x_wconf", 1);
      // The baseline is relative to the lower left corner of the line.
      const baseline = bottom + offset + slope * (left - from);
      return { text: textIn(element), left, right, top, bottom, baseline, size, confidence };
    });
};

const boxOf = (element: XmlElement): PixelBox => {
  const [left = 0, top = 0, right = 0, bottom = 0] = numbers(titleOf(element), "bbox", 4);
  return { left, top, right, bottom };
};

const classOf = ({ attributes }: XmlElement): string => attributes.get("class") ?? "";

const titleOf = ({ attributes }: XmlElement): string => attributes.get("title") ?? "";

/** @returns the numbers after a name in a title */
const numbers = (title: string, name: string, count: number): number[] => {
  const pattern = new RegExp(`\\b${name}${" (-?[\\d.]+)".repeat(count)}`);
  return pattern.exec(title)?.slice(1).map(Number) ?? [];
};

const elementsIn = ({ children }: XmlElement): XmlElement[] =>
  children.flatMap((child) => (typeof child === "string" ? [] : [child, ...elementsIn(child)]));

const textIn = ({ children }: XmlElement): string =>
  children
    .map((child) => (typeof child === "string" ? child : textIn(child)))
    .join("")
    .trim();
