import type { Random } from "../../support/random.ts";

/** Generates XML from the elements of a format, nested as the format defines, and occasionally not. */
export interface XmlGrammar {
  readonly root: string;
  /** Attributes of the root element, as written. */
  readonly rootAttributes?: string;
  /** The content of each element by name: elements, and texts in quotation marks. */
  readonly inside: Readonly<Record<string, readonly string[]>>;
  /** The attributes of each element by name, with their values. */
  readonly attributes?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

const DEPTH_MAX = 12;
const CHILDREN_MAX = 5;
/** Property names that every object inherits. */
const INHERITED = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"];
const ODD_TEXTS = [
  "",
  " ",
  "&amp;",
  "&#0;",
  "&#x10FFFF;",
  "&nope;",
  "<![CDATA[<a>]]>",
  "<!-- c -->",
  "<?p x?>",
  "\u0000",
  "1e999",
  "NaN",
];

/** @returns a document of the grammar */
export const xmlOf =
  (grammar: XmlGrammar) =>
  (random: Random): Buffer => {
    const head = random.pick([
      '<?xml version="1.0" encoding="UTF-8"?>\n',
      "",
      '<?xml version="1.0" encoding="utf-16"?>',
      "\ufeff",
    ]);
    const inner = contentOf(grammar, random, grammar.root, 0);
    const root = `<${grammar.root}${grammar.rootAttributes ?? ""}>${inner}</${grammar.root}>`;
    return Buffer.from(`${head}${root}`, random.chance(0.05) ? "utf16le" : "utf8");
  };

const contentOf = (grammar: XmlGrammar, random: Random, name: string, depth: number): string => {
  const own = Object.hasOwn(grammar.inside, name) ? (grammar.inside[name] ?? []) : [];
  const names = Object.keys(grammar.inside);
  return Array.from({ length: random.below(CHILDREN_MAX) + (depth < 3 ? 1 : 0) }, () => {
    if (own.length === 0 || depth > DEPTH_MAX || random.chance(0.04)) {
      return random.pick(ODD_TEXTS);
    }
    const child = random.chance(0.06) ? random.pick(random.chance(0.5) ? INHERITED : names) : random.pick(own);
    return child.startsWith('"') ? child.slice(1) : elementOf(grammar, random, child, depth);
  }).join(random.pick(["", "\n"]));
};

const elementOf = (grammar: XmlGrammar, random: Random, name: string, depth: number): string => {
  const attributes = Object.entries((Object.hasOwn(grammar.attributes ?? {}, name) && grammar.attributes?.[name]) || {})
    .filter(() => random.chance(0.9))
    .map(([key, values]) => ` ${key}="${random.pick(random.chance(0.05) ? ["", "x", "-1e999"] : values)}"`);
  const start = `<${name}${attributes.join("")}`;
  return random.chance(0.05) ? `${start}/>` : `${start}>${contentOf(grammar, random, name, depth + 1)}</${name}>`;
};

const COORDINATES = [
  '"1,2',
  '"1,2 3,4',
  '"1,2,3 4,5,6 7,8,9 1,2,3',
  '"0,0 0,1 1,1 0,0',
  '"1, 2',
  '"181,91',
  '"1e5,-.5',
  '"x',
];

/** KML (OGC 12-007r2), the part that is read. */
export const kmlGrammar: XmlGrammar = {
  root: "kml",
  rootAttributes: ' xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"',
  inside: {
    kml: ["Document", "Folder", "Placemark"],
    Document: ["Folder", "Placemark", "Placemark", "Schema", "name", "NetworkLink", "Document"],
    Folder: ["Placemark", "Folder", "name", "GroundOverlay"],
    Placemark: [
      "name",
      "description",
      "Point",
      "LineString",
      "Polygon",
      "MultiGeometry",
      "gx:Track",
      "gx:MultiTrack",
      "ExtendedData",
      "TimeStamp",
      "TimeSpan",
      "address",
      "phoneNumber",
      "LinearRing",
    ],
    MultiGeometry: ["Point", "LineString", "Polygon", "MultiGeometry", "LinearRing"],
    "gx:MultiTrack": ["gx:Track"],
    "gx:Track": ["gx:coord", "when"],
    "gx:coord": ['"1 2 3', '"1 2', '"x', '"1 2 3 4'],
    Point: ["coordinates"],
    LineString: ["coordinates"],
    LinearRing: ["coordinates"],
    Polygon: ["outerBoundaryIs", "outerBoundaryIs", "innerBoundaryIs"],
    outerBoundaryIs: ["LinearRing"],
    innerBoundaryIs: ["LinearRing"],
    coordinates: COORDINATES,
    ExtendedData: ["Data", "SchemaData"],
    Data: ["value", "displayName"],
    SchemaData: ["SimpleData"],
    SimpleData: ['"1', '"1.50', '"true', '"x', '"12345678901234567890'],
    Schema: ["SimpleField"],
    SimpleField: [],
    TimeStamp: ["when"],
    TimeSpan: ["begin", "end"],
    name: ['"a', '"ä'],
    description: ['"<![CDATA[<b>x</b>]]>', '"d'],
    value: ['"v', '"1'],
    displayName: ['"d'],
    when: ['"2025-01-02', '"2025-01-02T03:04:05Z'],
    begin: ['"2025'],
    end: ['"2026'],
    address: ['"a'],
    phoneNumber: ['"1'],
    NetworkLink: ["name"],
    GroundOverlay: ["name"],
  },
  attributes: {
    Placemark: { id: ["p1", "__proto__"] },
    Data: { name: ["a", "__proto__", "b"] },
    SchemaData: { schemaUrl: ["#s", "#t", "http://x/y#s"] },
    Schema: { id: ["s", "t", "__proto__"], name: ["s"] },
    SimpleField: { name: ["f", "g"], type: ["int", "double", "bool", "string", "ushort"] },
    SimpleData: { name: ["f", "g", "__proto__"] },
  },
};

const TEXTS_OF_GPX = ["time", "name", "cmt", "desc", "src", "number", "sym", "type", "link", "ele", "extensions"];
const PLACES_OF_GPX = { lat: ["1", "-90", "48.137", "91"], lon: ["2", "180", "-11.5", "360", "361"] };

/** GPX 1.1, the part that is read. */
export const gpxGrammar: XmlGrammar = {
  root: "gpx",
  rootAttributes: ' version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"',
  inside: {
    gpx: ["wpt", "rte", "trk", "trk", "metadata"],
    wpt: TEXTS_OF_GPX,
    rte: ["rtept", "rtept", ...TEXTS_OF_GPX],
    trk: ["trkseg", "trkseg", ...TEXTS_OF_GPX],
    trkseg: ["trkpt"],
    rtept: TEXTS_OF_GPX,
    trkpt: ["time", "ele", "name"],
    metadata: ["name", "time"],
    time: ['"2025-01-02T03:04:05Z', '"x'],
    ele: ['"12.5', '"-0', '"high', '"1e400'],
    number: ['"1', '"x'],
    name: ['"a', '"ä'],
    cmt: ['"c'],
    desc: ['"d'],
    src: ['"s'],
    sym: ['"Flag'],
    type: ['"t'],
    link: ["text"],
    text: ['"x'],
    extensions: ["name"],
  },
  attributes: {
    wpt: PLACES_OF_GPX,
    rtept: PLACES_OF_GPX,
    trkpt: PLACES_OF_GPX,
    link: { href: ["http://x", "javascript:x"] },
  },
};

/** FictionBook 2.1, the part that is read. */
export const fb2Grammar: XmlGrammar = {
  root: "FictionBook",
  rootAttributes: ' xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink"',
  inside: {
    FictionBook: ["description", "body", "body", "binary", "stylesheet"],
    description: ["title-info"],
    "title-info": ["book-title", "author", "lang", "annotation", "coverpage", "genre", "date"],
    author: ["first-name", "last-name"],
    coverpage: ["image"],
    body: ["title", "section", "section", "epigraph", "image"],
    section: ["title", "p", "p", "section", "poem", "cite", "table", "image", "empty-line", "subtitle", "epigraph"],
    title: ["p", "empty-line"],
    poem: ["title", "stanza", "text-author"],
    stanza: ["v", "v"],
    cite: ["p", "text-author", "poem"],
    epigraph: ["p", "text-author"],
    annotation: ["p"],
    table: ["tr"],
    tr: ["td", "th"],
    td: ['"1', "strong"],
    th: ['"h'],
    p: ['"text', "strong", "emphasis", "a", "image", "sub", "sup", "code", "strikethrough", "style"],
    v: ['"verse', "emphasis"],
    strong: ['"s', "emphasis"],
    emphasis: ['"e', "strong"],
    a: ['"link'],
    sub: ['"1'],
    sup: ['"2'],
    code: ['"x = 1'],
    style: ['"st'],
    strikethrough: ['"no'],
    subtitle: ['"sub'],
    "text-author": ['"who'],
    "book-title": ['"Book &nbsp; &amp;'],
    "first-name": ['"A'],
    "last-name": ['"B'],
    lang: ['"en', '"<x'],
    genre: ['"sf'],
    date: ['"2025'],
    image: [],
    binary: ['"iVBORw0KGgo=', '"????', '"R0lGODlhAQABAAAAACw='],
    "empty-line": [],
    stylesheet: ['"p { color: red }'],
  },
  attributes: {
    image: { "l:href": ["#a.png", "#b", "http://127.0.0.1/x.png", "file:///etc/passwd"] },
    a: { "l:href": ["#n1", "javascript:alert(1)", "http://x"], type: ["note"] },
    section: { id: ["n1", "n2"] },
    binary: { id: ["a.png", "b"], "content-type": ["image/png", "text/html"] },
    td: { colspan: ["2", "1000000"], rowspan: ["3", "-1"] },
  },
};
