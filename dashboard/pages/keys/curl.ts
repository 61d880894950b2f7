export interface CurlExample {
  readonly key: string;
  /** The URL of this service, without a trailing slash. */
  readonly address: string;
  /** The comment above each step. */
  readonly comments: Readonly<Record<"convert" | "download" | "file" | "key" | "upload", string>>;
}

/**
 * Commands for a POSIX shell that create a small table, upload it, convert it and save the result. They need only curl:
 * IDs are extracted from the responses with sed, since each response is a single line.
 */
export const curlExample = ({ key, address, comments }: CurlExample): string => `# ${comments.key}
KEY=${quoted(key)}
API=${quoted(`${address}/api/v1`)}

# ${comments.file}
printf 'name,born\\nAda,1815\\nGrace,1906\\n' > people.csv

# ${comments.upload}
UPLOAD=$(curl -sS "$API/upload" -H "Authorization: Bearer $KEY" -F file=@people.csv |
  sed -n 's/.*"upload_id":"\\([^"]*\\)".*/\\1/p')

# ${comments.convert}
RESULT=$(curl -sS "$API/convert?wait=25" -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  -d "{\\"upload_id\\":\\"$UPLOAD\\",\\"target_format\\":\\"json\\"}" |
  sed -n 's/.*"download_url":"\\([^"]*\\)".*/\\1/p')

# ${comments.download}
curl -sSfL "$RESULT" -H "Authorization: Bearer $KEY" -o people.json
cat people.json`;

/** @returns the text in single quotes, inside which a shell interprets nothing */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
