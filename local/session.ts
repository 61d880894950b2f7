import { join } from "node:path";

/** The image that the session converts; part of every checkout. */
const SAMPLE = join(import.meta.dirname, "../test/fixtures/sample.heic");

export interface Session {
  readonly url: string;
  readonly keyPath: string;
  /** Prefix for shell commands that must run in the service's container. */
  readonly shell: string | undefined;
}

/** @returns a session to paste into another terminal; it converts a file in the current directory */
export const curlSession = ({ url, keyPath, shell }: Session): string => {
  const read = (path: string): string => `${shell === undefined ? "" : `${shell} `}cat ${quoted(path)}`;
  return `Try it in another terminal:

  KEY=$(${read(keyPath)})
  ${read(SAMPLE)} | curl -sSf ${url}/api/v1/convert -H "Authorization: Bearer $KEY" \\
    -F "file=@-;filename=sample.heic" -F target_format=jpg -o converted.jpg && ls -l converted.jpg

The same in separate calls, for large files and several targets:

  UPLOAD=$(${read(SAMPLE)} | curl -sS ${url}/api/v1/upload -H "Authorization: Bearer $KEY" \\
    -F "file=@-;filename=sample.heic" | sed 's/.*"upload_id":"\\([^"]*\\)".*/\\1/')
  URL=$(curl -sS ${url}/api/v1/convert -H "Authorization: Bearer $KEY" \\
    -H "Content-Type: application/json" -H "Prefer: wait=25" \\
    -d "{\\"upload_id\\":\\"$UPLOAD\\",\\"target_format\\":\\"jpg\\"}" | sed 's/.*"download_url":"\\([^"]*\\)".*/\\1/')
  curl -sSL "$URL" -H "Authorization: Bearer $KEY" -o downloaded.jpg && ls -l downloaded.jpg
`;
};

/** @returns the path, quoted if a shell would misread it */
const quoted = (path: string): string => (/^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
