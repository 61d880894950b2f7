import type { FormatId } from "../functions/domain/formats/formats.ts";
import { realFiles, testFileGroups, withoutSample } from "./test-files.ts";
import { unread, VALID } from "./unread-files.ts";

/**
 * The page about the test files of the source formats.
 *
 * @param note a note that the page is generated
 */
export const testFilesPage = (note: string): string => {
  const groups = testFileGroups.map(({ writer, formats }) => `| ${writer} | ${coded(formats)} |`);
  const own = testFileGroups.filter(({ independent }) => !independent).flatMap(({ formats }) => formats);
  const real = Object.entries(realFiles).map(([format, file]) => `| \`${format}\` | ${file} |`);
  return `# Test files

${note}

The tests convert a file of known content for each source format. How much that proves depends on the program that
wrote the file:

| writer | formats |
| --- | --- |
${groups.join("\n")}

Files that code of this repository writes follow the specification as this project reads it, so they prove less. These formats
are also tested with public files that other programs wrote: ${coded(own.filter((id) => realFiles[id] !== undefined))}.
There is no such file for ${coded(own.filter((id) => realFiles[id] === undefined))}.
${unwritten()}
## Public files
The tests convert these files, with free licenses, if \`ANYFORM_CORPUS\` names the folder that contains them. The name starts with
that of the project that published the file. \`node bench faithful --corpus-share\` prints how many of all public files are
converted.

| format | file |
| --- | --- |
${real.join("\n")}

## Files that are not converted
Of ${VALID} valid public files, ${VALID - unread.length} are converted to the most common target of their family: measured with \`node bench faithful
--corpus-share\` on 24 November 2026. No other program that is installed with this project opens one of the others. The
bench tries soffice, pandoc, Calibre, poppler, ImageMagick, Ghostscript, JxrDecApp, heif-convert, ffmpeg, 7-Zip, bsdtar,
unar, GDAL, Assimp, Fontconfig, xmllint and jq.

| file | format | reason | opened by |
| --- | --- | --- | --- |
${unread.map(({ file, format, reason }) => `| ${file} | ${format} | ${reason} | none |`).join("\n")}
`;
};

/** @returns a paragraph about the formats without a sample; nothing if there are none */
const unwritten = (): string => {
  const [real, none] = [true, false].map((wanted) =>
    withoutSample.filter((id) => (realFiles[id] !== undefined) === wanted),
  );
  return withoutSample.length === 0
    ? ""
    : `
No free program writes some formats. These are tested with public files only: ${coded(real ?? [])}. These are not tested: ${coded((none ?? []).filter((id) => id !== "chm"))}.
A book in \`chm\` is written by Free Pascal's chmcmd, with other content than the samples: \`test/fixtures/guide.chm\`.
`;
};

const coded = (ids: readonly FormatId[]): string => ids.map((id) => `\`${id}\``).join(", ") || "none";
