import { engineIds } from "../functions/domain/conversions/engines.ts";
import { planRoutes, type Route } from "../functions/domain/conversions/plan.ts";
import type { Family, Format } from "../functions/domain/formats/format.ts";
import { formatOf, formats } from "../functions/domain/formats/formats.ts";

/** The page of formats: one section for each family. Single pairs are in the service's own explorer. */

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

/** @param note says that the page is generated */
export const formatsPage = (note: string): string => {
  const { all } = planRoutes(new Set(engineIds));
  const used = formats.filter(({ id }) => all.some(({ from, to }) => from === id || to === id));
  const families = [...new Set(used.map(({ family }) => family))].sort(
    (one, other) => intoFamily(all, other).length - intoFamily(all, one).length,
  );
  const sections = families.map((family) => section(family, used, all));
  return `# Formats and conversions

${note}

${used.length} formats, ${all.length} conversions. A test converts each pair and opens the result with another tool than the one that
made it. Here the formats are listed by family. For one pair, with its steps, options, fidelity and what is lost, use the
explorer of a running service: the page \`/formats\`, or \`GET /api/v1/formats?source=jpg&target=pdf\`.

\`target_format\` takes an id, an extension with or without its dot, or a media type, in any case.

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
    `${intoFamily(all, family).length} conversions make one; one becomes: ${targetFamilies(family, all)}.`,
  ];
  return `## ${TITLES[family]}\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
};

const listed = (some: readonly Format[]): string =>
  some.length === 0 ? "none" : some.map(({ id, name }) => `${name} (\`${id}\`)`).join(", ");

const intoFamily = (all: readonly Route[], family: Family): readonly Route[] =>
  all.filter(({ to }) => formatOf(to).family === family);

/** @returns the families that formats of this one become, the most frequent first, with the number of conversions */
const targetFamilies = (family: Family, all: readonly Route[]): string => {
  const from = all.filter((route) => formatOf(route.from).family === family);
  return [...Map.groupBy(from, ({ to }) => formatOf(to).family)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([target, routes]) => `${TITLES[target].toLowerCase().replace("3d", "3D")} (${routes.length})`)
    .join(", ");
};
