import { randomBytes } from "node:crypto";
import type { Warning } from "../../domain/jobs.ts";
import { withCells } from "./cells.ts";
import { pictureOf } from "./inline-html.ts";
import { type Metadata, metadataOf, pageOf } from "./metadata.ts";
import { dataUriOf, gatherPictures, type Picture } from "./pictures.ts";
import { settleRawBlocks } from "./raw.ts";
import { type Rewriting, rewritten, rewrittenList, warningsOf } from "./rewrite.ts";
import type { Source } from "./source.ts";
import { rooted, type Titled, titled } from "./title.ts";
import type { Json, PandocDocument } from "./tree.ts";
import { eachNode, targetOf, textAt } from "./walk.ts";
import { withMeanings } from "./word-styles.ts";
import type { Writer } from "./writers.ts";

/** A document that pandoc may write: nothing in it reaches out of the step's folder, or is a program to the target. */
export interface Gated {
  readonly document: PandocDocument;
  readonly pictures: readonly Picture[];
  /** Random letters that stand before the name of a picture in a text. */
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
 * Lets through what a document says and how it is ordered, and holds back what would make a writer open files, ask the
 * network, or hand on a stranger's program: pictures that are elsewhere, raw markup, all metadata but eight fields,
 * attributes that are not known to be harmless.
 *
 * @throws JobError as the readers of pictures and HTML do
 */
export const gateOf = async (read: PandocDocument, { folder, source, writer }: GateRun): Promise<Gated> => {
  const settled = await settleRawBlocks(read, folder);
  const document = source.container === undefined ? settled : { ...settled, blocks: withMeanings(settled.blocks) };
  const said = metadataOf(document);
  const { targets, places } = targetsOf([...document.blocks, { ...said }]);
  const pictures = await gatherPictures(targets, { source, writer, folder });
  const mark = `p${randomBytes(8).toString("hex")}`;
  const shown = new Map<string, string>();
  for (const [target, picture] of pictures) {
    shown.set(target, await placeFor(picture, writer, mark));
  }
  const state: Rewriting = { source, writer, shown, places, counts: new Map() };
  const meta: Metadata = Object.fromEntries(
    Object.entries(said).map(([field, value]) => [field, rewritten(value, "meta", state)]),
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
    warnings: warningsOf(state),
  };
};

const fitted = ({ meta, blocks }: Titled, { format }: Writer): readonly Json[] =>
  format === "ipynb" ? withCells(blocks) : format === "opml" ? rooted(blocks, meta) : blocks;

/** @returns what the writer is told of a picture: its file, itself, or a word that is replaced when it has written */
const placeFor = async (picture: Picture, { format, pictures }: Writer, mark: string): Promise<string> =>
  pictures === "files" ? picture.name : format === "md" ? placeOf(picture, mark) : await dataUriOf(picture);

/** @returns letters that no document has, which stand in a Markdown for a picture until it is written */
export const placeOf = ({ name }: Picture, mark: string): string => `${mark}-${name.replace(".", "-")}-`;

/** @returns what pictures refer to, and the names that links lead to */
const targetsOf = (values: Json): { targets: readonly string[]; places: ReadonlySet<string> } => {
  const targets: string[] = [];
  const places = new Set<string>();
  eachNode(values, (node) => {
    if (node.t === "Image") {
      targets.push(targetOf(node)[0]);
    } else if (node.t === "RawInline") {
      const source = pictureOf(textAt(node.c, 1))?.source;
      targets.push(...(source === undefined ? [] : [source]));
    } else if (node.t === "Link") {
      const [address] = targetOf(node);
      places.add(address.startsWith("#") ? address.slice(1) : "");
    }
  });
  return { targets: targets.filter((each) => each !== ""), places };
};
