import { join } from "node:path";

/** The picture that the session converts; every checkout has it. */
const SAMPLE = join(import.meta.dirname, "../test/fixtures/sample.heic");

export interface Session {
  readonly url: string;
  readonly keyPath: string;
  /** What the user's shell puts before a command that has to run beside the service. */
  readonly shell: string | undefined;
}

/** @returns a session to paste into another terminal: it ends with a converted file in the folder that it runs in */
export const curlSession = ({ url, keyPath, shell }: Session): string => {
  const read = (path: string): string => `${shell === undefined ? "" : `${shell} `}cat ${quoted(path)}`;
  return `Try it in another terminal:

  KEY=$(${read(keyPath)})
  UPLOAD=$(${read(SAMPLE)} | curl -sS ${url}/api/v1/upload -H "Authorization: Bearer $KEY" \\
    -F "file=@-;filename=sample.heic" | sed 's/.*"upload_id":"\\([^"]*\\)".*/\\1/')
  URL=$(curl -sS ${url}/api/v1/convert -H "Authorization: Bearer $KEY" \\
    -H "Content-Type: application/json" -H "Prefer: wait=25" \\
    -d "{\\"upload_id\\":\\"$UPLOAD\\",\\"target_format\\":\\"jpg\\"}" | sed 's/.*"download_url":"\\([^"]*\\)".*/\\1/')
  curl -sSL "$URL" -H "Authorization: Bearer $KEY" -o converted.jpg && ls -l converted.jpg
`;
};

/** @returns the path, quoted where a shell would misread it */
const quoted = (path: string): string => (/^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
