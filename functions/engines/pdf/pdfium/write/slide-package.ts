import type { ZipMember } from "../../../archives/zip/writer.ts";

/** The parts of a presentation that do not depend on its slides (ECMA-376, parts 1 and 2). */

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main";
const SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main";
const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const NAMESPACES = `xmlns:a="${DRAWING}" xmlns:r="${RELATIONSHIPS}" xmlns:p="${SLIDES}"`;

/** A slide: its XML and its relationships to pictures and URLs. */
export interface Slide {
  readonly shapes: string;
  readonly relations: readonly Relation[];
}

type SlidePart = "slideLayout" | "slideMaster" | "theme" | "slide" | "officeDocument";
type WordPart = "styles" | "settings" | "numbering" | "footnotes" | "header" | "footer";

/** Target of a relationship: another part of the package, or a URL. */
export interface Relation {
  readonly id: string;
  readonly type: "image" | "hyperlink" | SlidePart | WordPart;
  readonly target: string;
}

/** EMU: 914,400 per inch, 12,700 per point. */
interface SlideSize {
  readonly width: number;
  readonly height: number;
}

/** @returns everything except the slides and the pictures */
export const packageMembers = (slides: number, { width, height }: SlideSize): ZipMember[] => {
  const numbers = Array.from({ length: slides }, (_, index) => index + 1);
  return [
    { path: "[Content_Types].xml", bytes: contentTypes(numbers) },
    {
      path: "_rels/.rels",
      bytes: relationsXml([{ id: "rId1", type: "officeDocument", target: "ppt/presentation.xml" }]),
    },
    {
      path: "ppt/presentation.xml",
      bytes:
        `${XML}<p:presentation ${NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>` +
        `<p:sldIdLst>${numbers.map((number) => `<p:sldId id="${255 + number}" r:id="rId${1 + number}"/>`).join("")}</p:sldIdLst>` +
        `<p:sldSz cx="${width}" cy="${height}"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    },
    {
      path: "ppt/_rels/presentation.xml.rels",
      bytes: relationsXml([
        { id: "rId1", type: "slideMaster", target: "slideMasters/slideMaster1.xml" },
        ...numbers.map((number) => ({
          id: `rId${1 + number}`,
          type: "slide" as const,
          target: `slides/slide${number}.xml`,
        })),
        { id: `rId${slides + 2}`, type: "theme", target: "theme/theme1.xml" },
      ]),
    },
    { path: "ppt/slideMasters/slideMaster1.xml", bytes: MASTER },
    {
      path: "ppt/slideMasters/_rels/slideMaster1.xml.rels",
      bytes: relationsXml([
        { id: "rId1", type: "slideLayout", target: "../slideLayouts/slideLayout1.xml" },
        { id: "rId2", type: "theme", target: "../theme/theme1.xml" },
      ]),
    },
    { path: "ppt/slideLayouts/slideLayout1.xml", bytes: LAYOUT },
    {
      path: "ppt/slideLayouts/_rels/slideLayout1.xml.rels",
      bytes: relationsXml([{ id: "rId1", type: "slideMaster", target: "../slideMasters/slideMaster1.xml" }]),
    },
    { path: "ppt/theme/theme1.xml", bytes: THEME },
  ];
};

/** @returns the parts of one slide */
export const slideMembers = (number: number, { shapes, relations }: Slide): ZipMember[] => [
  {
    path: `ppt/slides/slide${number}.xml`,
    bytes: `${XML}<p:sld ${NAMESPACES}><p:cSld>${tree(shapes)}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`,
  },
  {
    path: `ppt/slides/_rels/slide${number}.xml.rels`,
    bytes: relationsXml([
      { id: "rId1", type: "slideLayout", target: "../slideLayouts/slideLayout1.xml" },
      ...relations,
    ]),
  },
];

/** @returns the part with relationships of another part */
export const relationsXml = (relations: readonly Relation[]): string => {
  const rows = relations.map(({ id, type, target }) => {
    const mode = type === "hyperlink" ? ' TargetMode="External"' : "";
    return `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${type}" Target="${target}"${mode}/>`;
  });
  return `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows.join("")}</Relationships>`;
};

const PRESENTATION = "application/vnd.openxmlformats-officedocument.presentationml";

const contentTypes = (numbers: readonly number[]): string => {
  const parts = [
    ["/ppt/presentation.xml", `${PRESENTATION}.presentation.main+xml`],
    ["/ppt/slideMasters/slideMaster1.xml", `${PRESENTATION}.slideMaster+xml`],
    ["/ppt/slideLayouts/slideLayout1.xml", `${PRESENTATION}.slideLayout+xml`],
    ["/ppt/theme/theme1.xml", "application/vnd.openxmlformats-officedocument.theme+xml"],
    ...numbers.map((number) => [`/ppt/slides/slide${number}.xml`, `${PRESENTATION}.slide+xml`]),
  ];
  const overrides = parts.map(([name, type]) => `<Override PartName="${name}" ContentType="${type}"/>`);
  return (
    `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>' +
    `<Default Extension="jpg" ContentType="image/jpeg"/>${overrides.join("")}</Types>`
  );
};

/** @returns a shape tree; the enclosing group has no position */
const tree = (shapes: string): string =>
  '<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/>' +
  `<a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>${shapes}</p:spTree>`;

const MASTER =
  `${XML}<p:sldMaster ${NAMESPACES}><p:cSld><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>${tree("")}</p:cSld>` +
  '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" ' +
  'accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" ' +
  'r:id="rId1"/></p:sldLayoutIdLst><p:txStyles><p:titleStyle/><p:bodyStyle/><p:otherStyle/></p:txStyles></p:sldMaster>';

const LAYOUT =
  `${XML}<p:sldLayout ${NAMESPACES} type="blank" preserve="1"><p:cSld name="Blank">${tree("")}</p:cSld><p:clrMapOvr>` +
  "<a:masterClrMapping/></p:clrMapOvr></p:sldLayout>";

const COLORS = [
  ["dk1", "000000"],
  ["lt1", "FFFFFF"],
  ["dk2", "44546A"],
  ["lt2", "E7E6E6"],
  ["accent1", "4472C4"],
  ["accent2", "ED7D31"],
  ["accent3", "A5A5A5"],
  ["accent4", "FFC000"],
  ["accent5", "5B9BD5"],
  ["accent6", "70AD47"],
  ["hlink", "0563C1"],
  ["folHlink", "954F72"],
] as const;

const FONT = '<a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/>';
const FILL = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const LINE = `<a:ln w="6350">${FILL}</a:ln>`;
const EFFECT = "<a:effectStyle><a:effectLst/></a:effectStyle>";
const thrice = (xml: string): string => xml.repeat(3);

const THEME =
  `${XML}<a:theme xmlns:a="${DRAWING}" name="Plain"><a:themeElements><a:clrScheme name="Plain">` +
  `${COLORS.map(([name, color]) => `<a:${name}><a:srgbClr val="${color}"/></a:${name}>`).join("")}</a:clrScheme>` +
  `<a:fontScheme name="Plain"><a:majorFont>${FONT}</a:majorFont><a:minorFont>${FONT}</a:minorFont></a:fontScheme>` +
  `<a:fmtScheme name="Plain"><a:fillStyleLst>${thrice(FILL)}</a:fillStyleLst><a:lnStyleLst>${thrice(LINE)}</a:lnStyleLst>` +
  `<a:effectStyleLst>${thrice(EFFECT)}</a:effectStyleLst><a:bgFillStyleLst>${thrice(FILL)}</a:bgFillStyleLst></a:fmtScheme>` +
  "</a:themeElements></a:theme>";
