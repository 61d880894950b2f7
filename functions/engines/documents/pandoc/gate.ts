import { randomBytes } from "node:crypto";
import type { Warning } from "../../../domain/warning.ts";
import { withCells } from "./cells.ts";
import { pictureOf } from "./inline-html.ts";
import { type Metadata, metadataOf, pageOf } from "./metadata.ts";
import { dataUriOf, gatherPictures, type Picture } from "./pictures.ts";
import { settleRawBlocks } from "./raw.ts";
import { newLeftOut, type Rewriting, rewritten, rewrittenList } from "./rewrite.ts";
import type { Source } from "./source.ts";
import { rooted, type Titled, titled } from "./title.ts";
import type { Json, PandocDocument } from "./tree.ts";
import { eachNode, targetOf, textAt } from "./walk.ts";
import { withMeanings } from "./word-styles.ts";
import type { Writer } from "./writers.ts";

/**
 * A document that pandoc may write: it refers to nothing outside the step's folder, and contains no code for the
 * target.
 */
export interface Gated {
  readonly document: PandocDocument;
  readonly pictures: readonly Picture[];
  /** Random prefix of the picture placeholders in a text. */
  readonly mark: string;
  readonly title: string;
  readonly lang?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly warnings: readonly Warning[];
}

export interface GateRun {
  readonly folder: string;
  readonly source: Source;
  readonly writer: Writer;
}

/**
 * Lets through the content and structure of a document, and removes everything that could make a writer open files,
 * access the network or pass on untrusted code: external pictures, raw markup, all metadata except eight fields, and
 * attributes that are not known to be harmless.
 *
 * @throws JobError as the readers of pictures and HTML do
 */
export const gateOf = async (read: PandocDocument, { folder, source, writer }: GateRun): Promise<Gated> => {
  const settled = await settleRawBlocks(read, folder);
  const document = source.container === undefined ? settled : { ...settled, blocks: withMeanings(settled.blocks) };
  const metadata = metadataOf(document);
  const { targets, linkTargets } = targetsOf([...document.blocks, { ...metadata }]);
  const pictures = await gatherPictures(targets, { source, writer, folder });
  const mark = `p${randomBytes(8).toString("hex")}`;
  const shown = new Map<string, string>();
  for (const [target, picture] of pictures) {
    shown.set(target, await referenceFor(picture, writer, mark));
  }
  const state: Rewriting = { source, writer, shown, linkTargets, leftOut: newLeftOut() };
  const meta: Metadata = Object.fromEntries(
    Object.entries(metadata).map(([field, value]) => [field, rewritten(value, "meta", state)]),
  );
  const body = titled({ meta, blocks: rewrittenList(document.blocks, "body", state) }, source, writer);
  return {
    document: {
      "pandoc-api-version": document["pandoc-api-version"],
      meta: { ...body.meta },
      blocks: fitted(body, writer),
    },
    pictures: [...pictures.values()],
    mark,
    ...pageOf(meta),
    warnings: state.leftOut.warnings(),
  };
};

const fitted = ({ meta, blocks }: Titled, { format }: Writer): readonly Json[] =>
  format === "ipynb" ? withCells(blocks) : format === "opml" ? rooted(blocks, meta) : blocks;

/**
 * @returns what the writer receives for a picture: its file, its data, or a placeholder that is replaced after writing
 */
const referenceFor = async (picture: Picture, { format, pictures }: Writer, mark: string): Promise<string> =>
  pictures === "files" ? picture.name : format === "md" ? placeholderOf(picture, mark) : await dataUriOf(picture);

/** @returns a placeholder that no document contains, which represents a picture in Markdown until it is written */
export const placeholderOf = ({ name }: Picture, mark: string): string => `${mark}-${name.replace(".", "-")}-`;

/** @returns the references of pictures, and the targets of links */
const targetsOf = (values: Json): { targets: readonly string[]; linkTargets: ReadonlySet<string> } => {
  const targets: string[] = [];
  const linkTargets = new Set<string>();
  eachNode(values, (node) => {
    if (node.t === "Image") {
      targets.push(targetOf(node)[0]);
    } else if (node.t === "RawInline") {
      const source = pictureOf(textAt(node.c, 1))?.source;
      targets.push(...(source === undefined ? [] : [source]));
    } else if (node.t === "Link") {
      const [address] = targetOf(node);
      linkTargets.add(address.startsWith("#") ? address.slice(1) : "");
    }
  });
  return { targets: targets.filter((each) => each !== ""), linkTargets };
};
