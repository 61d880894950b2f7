export interface CurlExample {
  readonly key: string;
  /** The URL of this service, without a trailing slash. */
  readonly address: string;
  /** The comment above each step. */
  readonly comments: Readonly<Record<"convert" | "file" | "key", string>>;
}

/** Commands for a POSIX shell that create a small table and convert it. They need only curl. */
export const curlExample = ({ key, address, comments }: CurlExample): string => `# ${comments.key}
KEY=${quoted(key)}
API=${quoted(`${address}/api/v1`)}

# ${comments.file}
printf 'name,born\\nAda,1815\\nGrace,1906\\n' > people.csv

# ${comments.convert}
curl -sSfL "$API/convert" -H "Authorization: Bearer $KEY" -F file=@people.csv -F target_format=json -o people.json
cat people.json`;

/** @returns the text in single quotes, inside which a shell interprets nothing */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
