import { engineIds, engineOf } from "../functions/domain/conversions/engines.ts";
import { planRoutes, type Route } from "../functions/domain/conversions/plan.ts";
import type { Family, Format } from "../functions/domain/formats/format.ts";
import { formatOf, formats } from "../functions/domain/formats/formats.ts";

/** The page of formats: one section per family. The service's explorer shows single pairs. */

const TITLES: Readonly<Record<Family, string>> = {
  image: "Images",
  vector: "Vector graphics",
  document: "Documents",
  spreadsheet: "Spreadsheets",
  presentation: "Presentations",
  ebook: "E-books",
  data: "Data",
  archive: "Archives",
  font: "Fonts",
  subtitle: "Subtitles",
  geo: "Maps",
  model: "3D models",
  mail: "Mail, calendars and contacts",
  audio: "Audio",
  video: "Video",
};

/** @param note a note that the page is generated */
export const formatsPage = (note: string): string => {
  const { all } = planRoutes(new Set(engineIds.filter((id) => !engineOf(id).optional)));
  const used = formats.filter(({ id }) => all.some(({ from, to }) => from === id || to === id));
  const families = [...new Set(used.map(({ family }) => family))].sort(
    (one, other) => intoFamily(all, other).length - intoFamily(all, one).length,
  );
  const sections = families.map((family) => section(family, used, all));
  return `# Formats and conversions

${note}

${used.length} formats, ${all.length} conversions. A test converts each pair and opens the result with a different tool than the one that
created it. This page lists the formats by family. To see the steps, options, fidelity and losses of a pair, open the page
\`/formats\` of a running service, or call \`GET /api/v1/formats/jpg/pdf\`.

A server with Ghostscript also reads PostScript (\`eps\`), as described in
[Optional programs](getting-started.md#optional-programs). One machine with the full sandbox, and AWS with [\`webPages\`](aws.md#web-pages), also
load web pages (\`url\`) and print or draw a ZIP with \`index.html\`.

\`target_format\` accepts an ID, an extension with or without the dot, or a media type. It is case-insensitive.

${sections.join("\n\n")}
`;
};

const section = (family: Family, used: readonly Format[], all: readonly Route[]): string => {
  const own = used.filter((format) => format.family === family);
  const read = own.filter(({ id }) => all.some(({ from }) => from === id));
  const written = own.filter(({ id }) => all.some(({ to }) => to === id));
  const lines = [
    `Read: ${listed(read)}.`,
    `Written: ${listed(written)}.`,
    `${intoFamily(all, family).length} conversions to this family. Conversions from it: ${targetFamilies(family, all)}.`,
  ];
  return `## ${TITLES[family]}\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
};

const listed = (some: readonly Format[]): string =>
  some.length === 0 ? "none" : some.map(({ id, name }) => `${name} (\`${id}\`)`).join(", ");

const intoFamily = (all: readonly Route[], family: Family): readonly Route[] =>
  all.filter(({ to }) => formatOf(to).family === family);

/** @returns the families that formats of this family are converted to, most frequent first, with the number of conversions */
const targetFamilies = (family: Family, all: readonly Route[]): string => {
  const from = all.filter((route) => formatOf(route.from).family === family);
  return [...Map.groupBy(from, ({ to }) => formatOf(to).family)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([target, routes]) => `${TITLES[target].toLowerCase().replace("3d", "3D")} (${routes.length})`)
    .join(", ");
};
