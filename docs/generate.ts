import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { jobErrors, requestErrors, uploadErrors } from "../functions/domain/errors.ts";
import { programs, shippedPackages } from "../layers/licenses.ts";
import { formatsPage } from "./formats-page.ts";

/** The pages that are made from the tables of the code: `node docs` writes them, a test holds them to the tables. */

const NOTE = "<!-- Made by `node docs` from the tables in functions/domain; edit those. -->";

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** @returns `code`, title, the further columns, when the error occurs, and what to do */
const errorRows = <Row extends { readonly title: string; readonly when: string; readonly action: string }>(
  errors: Readonly<Record<string, Row>>,
  columns: (row: Row) => readonly string[],
): string[][] =>
  Object.entries(errors).map(([code, row]) => [`\`${code}\``, row.title, ...columns(row), row.when, row.action]);

const retry = ({ retryable }: { readonly retryable: boolean }): string => (retryable ? "yes" : "no");

const errorsPage = (): string => {
  const requests = errorRows(requestErrors, (row) => [String(row.status), retry(row)]);
  const uploads = errorRows(uploadErrors, (row) => [retry(row)]);
  const jobs = errorRows(jobErrors, (row) => [retry(row), row.fault === "service" ? "yes" : "no"]);
  return `# Errors

${NOTE}

Error codes are stable: use them in programs. **Retry** says whether the same request can succeed later without changes.

## Request errors
Rejected requests return problem details (RFC 9457, \`application/problem+json\`). \`code\` identifies the error, \`detail\`
says what is wrong with this request, and \`errors\` lists each invalid field with what is allowed. Include
\`request_id\` in support requests.

${table(["Code", "Title", "Status", "Retry", "When it happens", "What to do"], requests)}

## Upload errors
An upload that is sent in parts or fetched from a URL can fail after the request was accepted. Its \`status\` is
\`failed\`, and its \`error\` has one of these codes.

${table(["Code", "Title", "Retry", "When it happens", "What to do"], uploads)}

## Job errors
A job can fail after the request was accepted. Its \`status\` is \`failed\`, and its \`error\` has one of these codes.
**Refund** says whether the request is returned to the quota, because the service caused the error.

${table(["Code", "Title", "Retry", "Refund", "When it happens", "What to do"], jobs)}
`;
};

const licensesPage = (): string => `# Licenses of what is shipped

${NOTE.replace("the tables in functions/domain", "package-lock.json and layers/licenses.ts")}

The project itself is under Apache-2.0. A test holds every row below to licenses that let anyone use, change and sell it; what
is under the GPL is a program of the system, which the service starts and is not part of. \`npx node layers/sbom.ts\` lists the
packages for machines (CycloneDX).

## Programs and fonts of the system
Those of the container image and of \`npm run engines\`.

${table(
  ["program", "license"],
  programs.map(({ name, license }) => [name, license]),
)}

## Packages of npm
In bundles, layers, the image or the pages.

${table(
  ["package", "version", "license"],
  shippedPackages().map(({ name, version, license }) => [`\`${name}\``, version, license]),
)}
`;

export const pages: Readonly<Record<string, () => string>> = {
  "errors.md": errorsPage,
  "formats.md": () => formatsPage(NOTE),
  "licenses.md": licensesPage,
};

if (process.argv[1]?.startsWith(import.meta.dirname)) {
  for (const [name, page] of Object.entries(pages)) {
    await writeFile(join(import.meta.dirname, name), page());
  }
}
