import { XMLParser, XMLValidator } from "fast-xml-parser";
import { readZip } from "../../../../functions/engines/archives/zip/reader.ts";

/** The content of a presentation. */
export interface Slides {
  /** Size of all slides in EMU. */
  readonly width: number;
  readonly height: number;
  readonly slides: readonly SlideView[];
  /** Errors in the package. */
  readonly faults: readonly string[];
}

interface SlideView {
  readonly xml: string;
  /** Texts of the paragraphs, in order. */
  readonly paragraphs: readonly string[];
  /** Rows of cells, of all tables. */
  readonly rows: readonly (readonly string[])[];
  readonly pictures: readonly Buffer[];
  /** Positions of the shapes in EMU. */
  readonly boxes: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    /** Clockwise quarter turns. */
    readonly turns: number;
  }[];
}

/** @returns the content of a PPTX, read from its XML without the code that wrote it */
export const viewSlides = (path: string): Promise<Slides> =>
  readZip(path, async ({ paths, read }) => {
    const parts = new Map<string, Buffer>();
    for (const name of paths) {
      parts.set(name, (await read(name)) ?? Buffer.alloc(0));
    }
    const text = (name: string) => parts.get(name)?.toString("utf8") ?? "";
    const numbers = [...text("ppt/presentation.xml").matchAll(/<p:sldId /g)].map((_, index) => index + 1);
    const [, width = "", height = ""] = /<p:sldSz cx="(\d+)" cy="(\d+)"/.exec(text("ppt/presentation.xml")) ?? [];
    return {
      width: Number(width),
      height: Number(height),
      slides: numbers.map((number) => slideOf(parts, number)),
      faults: faultsOf(parts),
    };
  });

const slideOf = (parts: ReadonlyMap<string, Buffer>, number: number): SlideView => {
  const xml = parts.get(`ppt/slides/slide${number}.xml`)?.toString("utf8") ?? "";
  const relations = relationsOf(parts, `ppt/slides/slide${number}.xml`);
  const textIn = (part: string) =>
    [...part.matchAll(/<a:t>([^<]*)<\/a:t>/g)].map(([, text = ""]) => unescaped(text)).join("");
  const all = (part: string, tag: string) =>
    [...part.matchAll(new RegExp(`<${tag}(?: [^>]*)?>(.*?)</${tag}>`, "gs"))].map(([, inner = ""]) => inner);
  const embedded = [...xml.matchAll(/r:embed="(\w+)"/g)].map(([, id = ""]) => relations.get(id)?.target ?? "");
  return {
    xml,
    paragraphs: all(xml, "a:p").map(textIn),
    rows: all(xml, "a:tr").map((row) => all(row, "a:tc").map(textIn)),
    pictures: embedded.flatMap((target) => parts.get(target) ?? []),
    boxes: [
      ...xml.matchAll(
        /<[ap]:xfrm(?: rot="(\d+)")?><a:off x="(-?\d+)" y="(-?\d+)"\/><a:ext cx="(\d+)" cy="(\d+)"\/>(?!<a:chOff)/g,
      ),
    ].map((match) => {
      const [turned, x, y, width, height] = match.slice(1).map((value) => Number(value ?? 0));
      return { x: x ?? 0, y: y ?? 0, width: width ?? 0, height: height ?? 0, turns: (turned ?? 0) / 5_400_000 };
    }),
  };
};

const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

interface RelationView {
  readonly target: string;
  readonly external: boolean;
}

const relationsOf = (parts: ReadonlyMap<string, Buffer>, part: string): Map<string, RelationView> => {
  const folder = part.slice(0, part.lastIndexOf("/") + 1);
  const xml = parts.get(`${folder}_rels/${part.slice(folder.length)}.rels`)?.toString("utf8") ?? "";
  const parsed = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "",
    isArray: (name) => name === "Relationship",
  }).parse(xml);
  const rows: readonly { Id: string; Target: string; TargetMode?: string }[] = parsed.Relationships?.Relationship ?? [];
  return new Map(
    rows.map(({ Id, Target, TargetMode }) => {
      const external = TargetMode === "External";
      return [Id, { external, target: external ? Target : new URL(Target, `file:///${folder}`).pathname.slice(1) }];
    }),
  );
};

/** @returns invalid XML, relationships without a target, missing relationships, parts without a type */
const faultsOf = (parts: ReadonlyMap<string, Buffer>): string[] => {
  const types = parts.get("[Content_Types].xml")?.toString("utf8") ?? "";
  return [...parts].flatMap(([name, bytes]) => {
    if (!/\.(?:xml|rels)$/.test(name)) {
      return types.includes(`Extension="${name.split(".").at(-1)}"`) ? [] : [`${name} has no type`];
    }
    const xml = bytes.toString("utf8");
    const relations = relationsOf(parts, name);
    const asked = [...xml.matchAll(/ r:(?:id|embed)="(\w+)"/g)].map(([, id = ""]) => id);
    const typed = name.endsWith(".rels") || name === "[Content_Types].xml" || types.includes(`PartName="/${name}"`);
    const ids = [...xml.matchAll(/<p:cNvPr id="(\d+)"/g)].map(([, id]) => id);
    return [
      ...(XMLValidator.validate(xml) === true ? [] : [`${name} is not XML`]),
      ...(typed ? [] : [`${name} has no type`]),
      ...asked.filter((id) => !relations.has(id)).map((id) => `${name} refers to ${id}`),
      ...[...relations.values()]
        .filter(({ external, target }) => !external && !parts.has(target))
        .map(({ target }) => `${name} leads to ${target}`),
      ...(new Set(ids).size === ids.length ? [] : [`${name} has two shapes with one number`]),
    ];
  });
};
