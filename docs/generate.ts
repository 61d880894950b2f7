import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { jobErrors, requestErrors, uploadErrors } from "../functions/domain/errors.ts";
import { programs, shippedPackages } from "../layers/licences.ts";
import { formatsPage } from "./formats-page.ts";

/** The pages that are made from the tables of the code: `node docs` writes them, a test holds them to the tables. */

const NOTE = "<!-- Made by `node docs` from the tables in functions/domain; edit those. -->";

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

const licencesPage = (): string => `# Licences of what is shipped

${NOTE.replace("the tables in functions/domain", "package-lock.json and layers/licences.ts")}

The project itself is under Apache-2.0. A test holds every row below to licences that let anyone use, change and sell it; what
is under the GPL is a program of the system, which the service starts and is not part of. \`npx node layers/sbom.ts\` lists the
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
  "formats.md": () => formatsPage(NOTE),
  "licences.md": licencesPage,
};

if (process.argv[1]?.startsWith(import.meta.dirname)) {
  for (const [name, page] of Object.entries(pages)) {
    await writeFile(join(import.meta.dirname, name), page());
  }
}
