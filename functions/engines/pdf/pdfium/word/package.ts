import type { ZipMember } from "../../../archives/zip/writer.ts";
import type { DocumentLayout } from "../layout/model.ts";
import { type Relation, relationsXml } from "../write/slide-package.ts";
import { escapeXml } from "../write/xml.ts";
import { blocksXml, type Part, partOf, relate, type Word } from "./blocks.ts";
import { NAMESPACES } from "./drawings.ts";
import { filler, val, w } from "./elements.ts";
import { RUNNING_KINDS, type RunningKind, type Sheet } from "./sections.ts";
import { settingsXml, stylesXml } from "./styles.ts";

/** The package of a Word document (ECMA-376, parts 1 and 2). */

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml";

/** @returns the start of a part with text */
export const partStart = (root: string): string => `${XML}<w:${root} ${NAMESPACES} mc:Ignorable="wps">`;

const part = (root: string, content: string): string => `${partStart(root)}${content}</w:${root}>`;

/** The header and footer parts of a document. */
export interface Running {
  readonly members: ZipMember[];
  /** Names of the parts, with their kind. */
  readonly names: { readonly name: string; readonly type: "header" | "footer" }[];
  /** @returns the references of a section to the running lines of its sheet */
  references(sheet: Sheet): string;
}

/** @param body the part that refers to them */
export const runningOf = (word: Word, body: Part): Running => {
  const members: ZipMember[] = [];
  const names: Running["names"] = [];
  const known = new Map<string, string>();
  const add = (type: "header" | "footer", sheet: Sheet, kind: RunningKind): string => {
    const blocks = sheet.running[kind]?.[type] ?? [];
    const own = partOf(word);
    const [left, right] = [sheet.left, sheet.width - sheet.right];
    const frame = { left, right, column: { left, right }, slack: 0 };
    const top = type === "header" ? sheet.headerTop : Math.min(...blocks.map((block) => block.top));
    const xml = part(
      type === "header" ? "hdr" : "ftr",
      blocks.length === 0 ? filler() : blocksXml(own, blocks, frame, top),
    );
    const key = xml.replace(/ (?:id|relativeHeight)="\d+"/g, "").replace(/>[^<]*<\/w:t><\/w:r><\/w:fldSimple>/g, ">");
    const name = known.get(key) ?? `${type}${names.length + 1}.xml`;
    if (!known.has(key)) {
      known.set(key, name);
      names.push({ name, type });
      members.push({ path: `word/${name}`, bytes: xml }, ...relationsOf(name, own.relations));
    }
    return w(`${type}Reference`, { type: kind, "r:id": relate(body, type, name) });
  };
  return {
    members,
    names,
    references: (sheet) => {
      // Without a reference, a section has the running lines of the section before it.
      const kinds = RUNNING_KINDS.filter((kind) => sheet.running[kind] !== undefined);
      const types = (["header", "footer"] as const).filter(
        (type) =>
          names.some((name) => name.type === type) || kinds.some((kind) => sheet.running[kind]?.[type].length !== 0),
      );
      return types.flatMap((type) => kinds.map((kind) => add(type, sheet, kind))).join("");
    },
  };
};

const relationsOf = (name: string, relations: readonly Relation[]): ZipMember[] =>
  relations.length === 0 ? [] : [{ path: `word/_rels/${name}.rels`, bytes: relationsXml(relations) }];

interface PackageTask {
  readonly layout: Pick<DocumentLayout, "title" | "language">;
  readonly word: Word;
  readonly body: Part;
  readonly running: Running;
  readonly facing: boolean;
  /** The file with the main part. */
  readonly file: string;
}

/** @returns all members; the main part and the pictures are files */
export const packageMembers = ({ layout, word, body, running, facing, file }: PackageTask): ZipMember[] => {
  const language = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(layout.language ?? "") ? layout.language : undefined;
  const notes = notesMembers(word, body);
  relate(body, "styles", "styles.xml");
  relate(body, "settings", "settings.xml");
  relate(body, "numbering", "numbering.xml");
  if (notes.length > 0) {
    relate(body, "footnotes", "footnotes.xml");
  }
  const types = [
    ["document", "document.main"],
    ["styles", "styles"],
    ["settings", "settings"],
    ["numbering", "numbering"],
    ...(notes.length > 0 ? [["footnotes", "footnotes"]] : []),
    ...running.names.map(({ name, type }) => [name.replace(/\.xml$/, ""), type]),
  ];
  return [
    { path: "[Content_Types].xml", bytes: contentTypes(types) },
    { path: "_rels/.rels", bytes: ROOT_RELATIONS },
    { path: "docProps/core.xml", bytes: coreXml(layout.title, language) },
    { path: "word/document.xml", file },
    { path: "word/_rels/document.xml.rels", bytes: relationsXml(body.relations) },
    { path: "word/styles.xml", bytes: part("styles", stylesXml(word.looks, language, word.plain)) },
    { path: "word/settings.xml", bytes: part("settings", settingsXml(facing, notes.length > 0)) },
    { path: "word/numbering.xml", bytes: part("numbering", word.numbering.xml()) },
    ...notes,
    ...running.members,
    ...word.media.members,
  ];
};

const SEPARATORS = (["separator", "continuationSeparator"] as const)
  .map((type, id) =>
    w(
      "footnote",
      { type, id },
      w("p", {}, w("pPr", {}, w("spacing", { after: 0, line: 120, lineRule: "exact" })), w("r", {}, `<w:${type}/>`)),
    ),
  )
  .join("");

const notesMembers = (word: Word, body: Part): ZipMember[] => {
  const own = partOf(word);
  const written = [...word.notes.used].map(([{ mark, blocks }, { id, automatic }]) => {
    const [first] = blocks;
    const left = Math.min(...blocks.map((block) => block.left));
    const right = Math.max(...blocks.map((block) => block.right));
    const frame = { left, right, column: { left, right }, slack: 0 };
    const properties = w("rPr", {}, val("vertAlign", "superscript"));
    const sign = w("r", {}, properties, automatic ? "<w:footnoteRef/>" : `<w:t>${escapeXml(mark)}</w:t>`);
    const space = '<w:r><w:t xml:space="preserve"> </w:t></w:r>';
    const xml = first === undefined ? "<w:p/>" : blocksXml(own, blocks, frame, first.top);
    return w("footnote", { id }, xml.replace(/<\/w:pPr>/, `</w:pPr>${sign}${space}`));
  });
  return written.length === 0 || body.notes.length === 0
    ? []
    : [
        { path: "word/footnotes.xml", bytes: part("footnotes", SEPARATORS + written.join("")) },
        ...relationsOf("footnotes.xml", own.relations),
      ];
};

const contentTypes = (parts: readonly (readonly string[])[]): string => {
  const overrides = parts.map(
    ([name, type]) => `<Override PartName="/word/${name}.xml" ContentType="${MAIN}.${type}+xml"/>`,
  );
  return (
    `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>' +
    '<Default Extension="jpg" ContentType="image/jpeg"/>' +
    '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>' +
    `${overrides.join("")}</Types>`
  );
};

const CORE = "http://schemas.openxmlformats.org/package/2006";
const ROOT_RELATIONS =
  `${XML}<Relationships xmlns="${CORE}/relationships">` +
  '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>' +
  `<Relationship Id="rId2" Type="${CORE}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`;

const coreXml = (title: string | undefined, language: string | undefined): string =>
  `${XML}<cp:coreProperties xmlns:cp="${CORE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">` +
  (title === undefined ? "" : `<dc:title>${escapeXml(title)}</dc:title>`) +
  (language === undefined ? "" : `<dc:language>${language}</dc:language>`) +
  "</cp:coreProperties>";
