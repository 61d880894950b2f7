import { inflateSync } from "node:zlib";
import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFNumber, PDFRawStream } from "@cantoo/pdf-lib";
import { streamText } from "../edit/stream-text.ts";

/** How pages show an image. */
export interface Placement {
  /** The lowest resolution of all uses, in dots per inch. */
  readonly dpi: number;
  /** The first page that shows it, from 1. */
  readonly page: number;
}

/** The first two columns of a matrix (ISO 32000-2, 8.3.3): lengths need no translation. */
type Scale = readonly [a: number, b: number, c: number, d: number];

/** Characters of content that are read in one document; images after that have no placement. */
const CHARACTERS_MAX = 400_000_000;
const CONTENT_CHARACTERS_MAX = 50_000_000;
const FORM_DEPTH_MAX = 8;

/**
 * Reads only the content of pages whose resources have one of the images, and of that only the operators that change the
 * scale: a complete interpreter needs 2 ms for each page.
 *
 * @param images the names of image objects, such as `12 0 R`
 * @returns the placements of these images by the name of the object. Images in patterns and annotations have none
 */
export const placementsOf = (document: PDFDocument, images: ReadonlySet<string>): Map<string, Placement> => {
  const found = new Map<string, Placement>();
  const reader = new Reader(images, (image, dpi, page) => {
    const known = found.get(image);
    found.set(image, { page: known?.page ?? page, dpi: Math.min(dpi, known?.dpi ?? Number.POSITIVE_INFINITY) });
  });
  for (const [index, { node }] of document.getPages().entries()) {
    const resources = node.Resources();
    if (resources !== undefined && reader.hasImages(resources)) {
      reader.read(contentOf(node.Contents()), resources, { scale: [1, 0, 0, 1], page: index + 1, depth: 0 });
    }
  }
  return found;
};

interface State {
  readonly scale: Scale;
  readonly page: number;
  readonly depth: number;
}

const name = (text: string): PDFName => PDFName.of(text);

/** Strings and comments, which may contain anything, and the operators that matter. */
const OPERATOR = /[(%]|(?<=^|[\s)\]>}])(?:q|Q|cm|Do|gs|BI)(?=$|[\s/([<%])/g;
const SIX_NUMBERS = /((?:[-+.\d]+\s+){6})$/;
const LAST_NAME = /\/([^\s()<>[\]{}/%]+)\s*$/;
const END_OF_INLINE_IMAGE = /\sEI(?=$|[\s/([<%])/g;
/** Characters before an operator that its operands need at most. */
const OPERANDS_MAX = 200;

class Reader {
  readonly #images: ReadonlySet<string>;
  readonly #report: (image: string, dpi: number, page: number) => void;
  readonly #reaches = new Map<PDFDict, boolean>();
  #characters = 0;

  constructor(images: ReadonlySet<string>, report: (image: string, dpi: number, page: number) => void) {
    this.#images = images;
    this.#report = report;
  }

  /** @returns whether the resources have one of the images, in forms, too */
  hasImages(resources: PDFDict, depth = 0): boolean {
    const known = this.#reaches.get(resources);
    if (known !== undefined || depth > FORM_DEPTH_MAX) {
      return known ?? false;
    }
    this.#reaches.set(resources, false);
    const objects = resources.lookup(name("XObject"));
    const isImage = objects instanceof PDFDict && objects.values().some((value) => this.#images.has(String(value)));
    const has = isImage || formsIn(resources).some((form) => this.#isReached(form, depth));
    this.#reaches.set(resources, has);
    return has;
  }

  #isReached(form: PDFRawStream, depth: number): boolean {
    const own = form.dict.lookup(name("Resources"));
    return own instanceof PDFDict && this.hasImages(own, depth + 1);
  }

  read(content: string, resources: PDFDict, state: State): void {
    this.#characters += content.length;
    if (this.#characters > CHARACTERS_MAX) {
      return;
    }
    const saved: Scale[] = [];
    let { scale } = state;
    OPERATOR.lastIndex = 0;
    for (let match = OPERATOR.exec(content); match !== null; match = OPERATOR.exec(content)) {
      const next = OPERATOR.lastIndex;
      const before = (): string => content.slice(Math.max(0, match.index - OPERANDS_MAX), match.index);
      switch (match[0]) {
        case "q":
          saved.push(scale);
          break;
        case "Q":
          scale = saved.pop() ?? scale;
          break;
        case "cm":
          scale = product(numbersOf(SIX_NUMBERS.exec(before())?.[1]), scale);
          break;
        case "Do":
          this.#show(LAST_NAME.exec(before())?.[1], resources, { ...state, scale });
          break;
        case "gs":
          this.#readForm(maskOf(resources, LAST_NAME.exec(before())?.[1]), { ...state, scale });
          break;
      }
      OPERATOR.lastIndex = endOf(match[0], content, next);
    }
  }

  #show(key: string | undefined, resources: PDFDict, state: State): void {
    const objects = resources.lookup(name("XObject"));
    const ref = objects instanceof PDFDict && key !== undefined ? objects.get(name(key)) : undefined;
    const object = ref === undefined ? undefined : resources.context.lookup(ref);
    if (!(object instanceof PDFRawStream)) {
      return;
    }
    const [a, b, c, d] = state.scale;
    if (this.#images.has(String(ref))) {
      const across = (numberIn(object.dict, "Width") * 72) / Math.hypot(a, b);
      const down = (numberIn(object.dict, "Height") * 72) / Math.hypot(c, d);
      this.#report(String(ref), Math.min(across, down), state.page);
    }
    this.#readForm(object, state);
  }

  #readForm(form: PDFRawStream | undefined, state: State): void {
    const own = form?.dict.lookup(name("Resources"));
    if (form && own instanceof PDFDict && state.depth < FORM_DEPTH_MAX && this.hasImages(own)) {
      const matrix = form.dict.lookup(name("Matrix"));
      const numbers = matrix instanceof PDFArray ? matrix.asArray().map((_, index) => numberAt(matrix, index)) : [];
      this.read(textOf(form), own, { ...state, scale: product(numbers, state.scale), depth: state.depth + 1 });
    }
  }
}

/** @returns the form that is the soft mask of a graphics state */
const maskOf = (resources: PDFDict, key: string | undefined): PDFRawStream | undefined => {
  const states = resources.lookup(name("ExtGState"));
  const state = states instanceof PDFDict && key !== undefined ? states.lookup(name(key)) : undefined;
  const mask = state instanceof PDFDict ? state.lookup(name("SMask")) : undefined;
  const form = mask instanceof PDFDict ? mask.lookup(name("G")) : undefined;
  return form instanceof PDFRawStream ? form : undefined;
};

const formsIn = (resources: PDFDict): PDFRawStream[] => {
  const [objects, states] = [resources.lookup(name("XObject")), resources.lookup(name("ExtGState"))];
  const shown = objects instanceof PDFDict ? objects.keys().map((key) => objects.lookup(key)) : [];
  const masks = states instanceof PDFDict ? states.keys().map((key) => maskOf(resources, key.decodeText())) : [];
  return [...shown, ...masks].filter((form) => form instanceof PDFRawStream);
};

const numbersOf = (text = ""): number[] => text.trim().split(/\s+/).map(Number);

/** @returns the scale after a matrix of six numbers; the same one if there are fewer */
const product = ([a = 1, b = 0, c = 0, d = 1, , f]: readonly number[], outer: Scale): Scale => {
  const [oa, ob, oc, od] = outer;
  return f === undefined ? outer : [a * oa + b * oc, a * ob + b * od, c * oa + d * oc, c * ob + d * od];
};

/** @returns where reading goes on: after a string, a comment or an inline image */
const endOf = (operator: string, content: string, next: number): number => {
  switch (operator) {
    case "(":
      return endOfString(content, next);
    case "%": {
      const end = content.slice(next, next + 10_000).search(/[\r\n]/);
      return end === -1 ? next : next + end;
    }
    case "BI":
      END_OF_INLINE_IMAGE.lastIndex = next;
      return END_OF_INLINE_IMAGE.test(content) ? END_OF_INLINE_IMAGE.lastIndex : content.length;
    default:
      return next;
  }
};

const BACKSLASH = 92;
const [OPEN, CLOSE] = [40, 41];

const endOfString = (content: string, start: number): number => {
  let depth = 1;
  let at = start;
  for (; at < content.length && depth > 0; at += 1) {
    const code = content.charCodeAt(at);
    at += code === BACKSLASH ? 1 : 0;
    depth += code === OPEN ? 1 : code === CLOSE ? -1 : 0;
  }
  return at;
};

const contentOf = (contents: PDFArray | unknown): string => {
  if (contents instanceof PDFArray) {
    return contents
      .asArray()
      .map((_, index) => textOf(contents.lookup(index)))
      .join("\n");
  }
  return textOf(contents);
};

/** zlib is several times as fast as the filter of pdf-lib. */
const textOf = (stream: unknown): string => {
  if (!(stream instanceof PDFRawStream)) {
    return "";
  }
  if (String(stream.dict.lookup(name("Filter"))) !== "/FlateDecode" || stream.dict.has(name("DecodeParms"))) {
    return streamText(stream);
  }
  try {
    return inflateSync(stream.contents, { maxOutputLength: CONTENT_CHARACTERS_MAX }).toString("latin1");
  } catch {
    return streamText(stream).slice(0, CONTENT_CHARACTERS_MAX);
  }
};

const numberIn = (dict: PDFDict, key: string): number => {
  const value = dict.lookup(name(key));
  return value instanceof PDFNumber ? value.asNumber() : 0;
};

const numberAt = (array: PDFArray, index: number): number => {
  const value = array.lookup(index);
  return value instanceof PDFNumber ? value.asNumber() : 0;
};
