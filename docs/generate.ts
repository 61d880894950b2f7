import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { engineIds } from "../functions/domain/engines.ts";
import { jobErrors, requestErrors, uploadErrors } from "../functions/domain/errors.ts";
import type { Format } from "../functions/domain/format.ts";
import { formats } from "../functions/domain/formats.ts";
import { planRoutes, type Route } from "../functions/domain/routes.ts";
import { programs, shippedPackages } from "../layers/licences.ts";

/** The pages that are made from the tables of the code: `npm run docs` writes them, a test holds them to the tables. */

const NOTE = "<!-- Made by `npm run docs` from the tables in functions/domain; edit those. -->";

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const errorsPage = (): string => {
  const requests = Object.entries(requestErrors).map(([code, { status, title, retryable }]) => [
    `\`${code}\``,
    String(status),
    title,
    retryable ? "yes" : "no",
  ]);
  const uploads = Object.entries(uploadErrors).map(([code, { title, retryable }]) => [
    `\`${code}\``,
    title,
    retryable ? "yes" : "no",
  ]);
  const jobs = Object.entries(jobErrors).map(([code, { title, retryable, fault, attemptedAgain }]) => [
    `\`${code}\``,
    title,
    retryable ? "yes" : "no",
    fault === "service" ? "ours: the request is given back" : "the input's",
    attemptedAgain ? "up to 3 attempts" : "1 attempt",
  ]);
  return `# Errors

${NOTE}

## Of a request
The body is problem details (RFC 9457), \`application/problem+json\`: \`code\` is stable, \`detail\` says what was wrong
and what would be right, \`errors\` points into the body, \`request_id\` is what to send us.

${table(["code", "status", "title", "try again"], requests)}

## Of an upload
They stand in \`error\` of an upload that was to come in parts or from a URL, and is \`failed\`.

${table(["code", "title", "try again"], uploads)}

## Of a job
They stand in \`error\` of the job; the request that asked for the status is fine.

${table(["code", "title", "try again", "whose fault", "tried"], jobs)}
`;
};

/** Milliseconds of each pair's sample, as `npm run docs:times` measured them. */
const times: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "times.json"), "utf8"),
);

const timeOf = ({ from, to }: Route): string => {
  const milliseconds = times[`${from} ${to}`];
  return milliseconds === undefined ? "not measured" : `${milliseconds} ms`;
};

const formatsPage = (): string => {
  const { all } = planRoutes(new Set(engineIds));
  const used = formats.filter(({ id }) => all.some(({ from, to }) => from === id || to === id));
  const rows = used.map((format: Format) => [
    format.name,
    `\`${format.id}\``,
    format.family,
    format.extensions.map((extension) => `.${extension}`).join(" "),
    all.some(({ from }) => from === format.id) ? "yes" : "",
    all.some(({ to }) => to === format.id) ? "yes" : "",
  ]);
  const conversions = used.flatMap((format) => sectionOf(format, all));
  return `# Formats and conversions

${NOTE}

${used.length} formats, ${all.length} conversions, each of which a test converts and opens with another tool than the one that made
it. Where a conversion has several steps, each stands with what it makes. Times are of small samples in a warm process.

${table(["format", "id", "family", "extensions", "read", "written"], rows)}

Anything in a column of names is understood as \`target_format\`: id, extension with or without its dot, media type, in any case.

${conversions.join("\n\n")}
`;
};

/** The conversions from one format; none, where it is only written. */
const sectionOf = (format: Format, all: readonly Route[]): string[] => {
  const rows = all
    .filter(({ from }) => from === format.id)
    .map((route) => [
      route.merges ? `${route.to}, of several too` : route.to,
      route.fidelity,
      route.steps.map(({ engine, to }) => `${engine} → ${to}`).join(", "),
      route.options.map((option) => `\`${option}\``).join(" "),
      route.drops.join(" ").replaceAll("_", " "),
      timeOf(route),
    ]);
  const head = ["to", "fidelity", "steps", "options", "drops", "time"];
  return rows.length === 0 ? [] : [`## ${format.name}\n\n${table(head, rows)}`];
};

const licencesPage = (): string => `# Licences of what is shipped

${NOTE.replace("the tables in functions/domain", "package-lock.json and layers/licences.ts")}

The project itself is under Apache-2.0. A test holds every row below to licences that let anyone use, change and sell it; what
is under the GPL is a program of the system, which the service starts and is not part of. \`npm run sbom\` lists the
packages for machines (CycloneDX).

## Programs and fonts of the system
Those of the container image and of \`npm run engines\`.

${table(
  ["program", "licence"],
  programs.map(({ name, licence }) => [name, licence]),
)}

## Packages of npm
In bundles, layers, the image or the pages.

${table(
  ["package", "version", "licence"],
  shippedPackages().map(({ name, version, licence }) => [`\`${name}\``, version, licence]),
)}
`;

export const pages: Readonly<Record<string, () => string>> = {
  "errors.md": errorsPage,
  "formats.md": formatsPage,
  "licences.md": licencesPage,
};

if (process.argv[1] === import.meta.filename) {
  for (const [name, page] of Object.entries(pages)) {
    await writeFile(join(import.meta.dirname, name), page());
  }
}
