import { readFile, stat } from "node:fs/promises";
import type { Feature, GeoJsonProperties } from "geojson";
import { MAP_XML_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import { readZip } from "../../archives/zip/reader.ts";
import type { EngineTask } from "../../core/engine.ts";
import { featureOf } from "../geojson/geojson.ts";
import { geometryIn } from "./kml-geometry.ts";
import { type Styles, stylesIn } from "./kml-style.ts";
import { childrenOf, type Element, parseXml, textIn } from "./xml.ts";

/**
 * Reads the placemarks of a KML or KMZ (OGC 12-007r2) with their names, all their data and the colors of their lines
 * and areas. Links to other files are not followed.
 *
 * @throws JobError `source_corrupt`, `output_too_large`, and what `readZip` throws
 */
export const readKml = async ({ input, from }: EngineTask): Promise<{ features: Feature[]; warnings: Warning[] }> => {
  const root = parseXml(from === "kmz" ? await kmlIn(input) : await bytesOf(input), "kml");
  const walk: Walk = { features: [], types: new Map(), left: new Map(), styles: stylesIn(root) };
  collectTypes(root, walk);
  collect(root, [], walk);
  return { features: walk.features, warnings: warningsOf(walk) };
};

const bytesOf = async (path: string): Promise<Buffer> => {
  checkBytes((await stat(path)).size);
  return readFile(path);
};

const checkBytes = (size: number): void => {
  if (size > MAP_XML_BYTES_MAX) {
    throw new JobError(
      "output_too_large",
      `The KML is too large: ${size} bytes; the limit is ${MAP_XML_BYTES_MAX} bytes.`,
    );
  }
};

/** The first KML in the root of the zip counts; by convention it is named doc.kml (OGC 12-007r2, C.1). */
const kmlIn = (path: string): Promise<Buffer> =>
  readZip(path, async (zip) => {
    const kmls = zip.paths.filter((member) => member.toLowerCase().endsWith(".kml"));
    const main = kmls.find((member) => member === "doc.kml") ?? kmls.find((member) => !member.includes("/")) ?? kmls[0];
    const bytes = main === undefined ? undefined : await zip.read(main);
    if (bytes === undefined) {
      throw new JobError("source_corrupt", "The KMZ contains no KML file.");
    }
    checkBytes(bytes.length);
    return bytes;
  });

interface Walk {
  readonly features: Feature[];
  /** Field types, by the schema's id and the field's name. */
  readonly types: Map<string, string>;
  /** Number of omitted elements by name. */
  readonly left: Map<string, number>;
  readonly styles: Styles;
}

const LEFT_OUT = new Set(["NetworkLink", "GroundOverlay", "PhotoOverlay", "ScreenOverlay"]);

const collectTypes = (element: Element, walk: Walk): void => {
  for (const schema of element.children) {
    for (const { attributes } of schema.name === "Schema" ? childrenOf(schema, "SimpleField") : []) {
      walk.types.set(`${schema.attributes.id} ${attributes.name}`, attributes.type ?? "string");
    }
    if (schema.name === "Document") {
      collectTypes(schema, walk);
    }
  }
};

const DEPTH_MAX = 200;

const collect = (element: Element, folders: readonly string[], walk: Walk): void => {
  if (folders.length > DEPTH_MAX) {
    throw new JobError("unsupported_feature", `KML folders are nested more than ${DEPTH_MAX} levels deep.`);
  }
  for (const child of element.children) {
    if (child.name === "Placemark") {
      walk.features.push(featureOfPlacemark(child, folders, walk));
    } else if (child.name === "Document") {
      collect(child, folders, walk);
    } else if (child.name === "Folder") {
      collect(child, [...folders, textIn(child, "name") ?? ""], walk);
    } else if (LEFT_OUT.has(child.name)) {
      walk.left.set(child.name, (walk.left.get(child.name) ?? 0) + 1);
    }
  }
};

const featureOfPlacemark = (placemark: Element, folders: readonly string[], { types, styles }: Walk): Feature => {
  const time = childrenOf(placemark, "TimeStamp").map((stamp) => textIn(stamp, "when"))[0];
  const span = childrenOf(placemark, "TimeSpan")[0];
  const properties = {
    name: textIn(placemark, "name"),
    description: textIn(placemark, "description"),
    address: textIn(placemark, "address"),
    phone: textIn(placemark, "phoneNumber"),
    folder: folders.filter(Boolean).join("/") || undefined,
    time,
    begin: span && textIn(span, "begin"),
    end: span && textIn(span, "end"),
    ...styles.of(placemark),
    ...dataOf(placemark, types),
  };
  const { id } = placemark.attributes;
  return featureOf(geometryIn(placemark), {
    ...(id === undefined ? {} : { id }),
    properties: Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)),
  });
};

const dataOf = (placemark: Element, types: Walk["types"]): GeoJsonProperties => {
  const extended = childrenOf(placemark, "ExtendedData");
  const plain = extended
    .flatMap((data) => childrenOf(data, "Data"))
    .map((data) => [data.attributes.name ?? "", textIn(data, "value") ?? ""]);
  const typed = extended
    .flatMap((data) => childrenOf(data, "SchemaData"))
    .flatMap((data) =>
      childrenOf(data, "SimpleData").map(({ attributes, text }) => {
        const schema = data.attributes.schemaUrl?.replace(/^.*#/, "");
        return [attributes.name ?? "", typedValue(text, types.get(`${schema} ${attributes.name}`))];
      }),
    );
  return Object.fromEntries([...plain, ...typed]);
};

/** @returns the text as the type in the schema, when that loses nothing */
const typedValue = (text: string, type = "string"): unknown => {
  const plain = text.trim();
  if (/^(?:u?int|u?short|float|double)$/.test(type) && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(plain)) {
    const number = Number(plain);
    return Number.isInteger(number) && !Number.isSafeInteger(number) ? plain : number;
  }
  if (type === "bool" && /^(?:0|1|true|false)$/.test(plain)) {
    return plain === "1" || plain === "true";
  }
  return text;
};

const warningsOf = ({ left, styles }: Walk): Warning[] => [
  ...(left.size === 0 ? [] : [{ code: "features_dropped", detail: leftOut(left) }]),
  ...(styles.dropped === 0 ? [] : [{ code: "styles_dropped", detail: stylesLeftOut(styles.dropped) }]),
];

const leftOut = (left: Walk["left"]): string =>
  `Only placemarks are converted; removed: ${[...left].map(([name, count]) => `${count} ${name}`).join(", ")}.`;

const stylesLeftOut = (count: number): string =>
  `Icons, labels and balloons of styles are not converted: ${count}. Colors and widths of lines and areas are.`;
