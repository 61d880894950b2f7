/** Programs that convert a small table, for the quick start. Each one is complete and can be run unchanged. */

export interface SampleOf {
  /** The URL of this service, without a trailing slash. */
  readonly address: string;
  /** A complete key, or a placeholder. */
  readonly key: string;
}

/** Shown instead of the key while it is unknown. */
export const KEY_PLACEHOLDER = "YOUR_API_KEY";

/** @returns a string literal that is valid in both JavaScript and Python */
const quoted = (text: string): string => JSON.stringify(text);

/** With the project's own client, in Node.js. */
export const clientSample = ({ address, key }: SampleOf): string => `import { writeFile } from "node:fs/promises";
import { createClient } from "@anyform/client";

const anyform = createClient({ apiKey: ${quoted(key)}, baseUrl: ${quoted(address)} });

await writeFile("people.csv", "name,born\\nAda,1815\\nGrace,1906\\n");
const file = await anyform.convert("people.csv", "json");
await file.save("people.json");
console.log(await file.bytes().then((bytes) => new TextDecoder().decode(bytes)));
`;

/** With fetch only, in Node.js. */
export const fetchSample = ({ address, key }: SampleOf): string => `import { writeFile } from "node:fs/promises";

const form = new FormData();
form.set("target_format", "json");
form.set("file", new File(["name,born\\nAda,1815\\nGrace,1906\\n"], "people.csv"));

const response = await fetch(${quoted(`${address}/api/v1/convert`)}, {
  method: "POST",
  headers: { authorization: ${quoted(`Bearer ${key}`)} },
  body: form,
});
// 202: the conversion takes longer than 25 seconds; poll its job.
if (response.status !== 200) throw new Error(\`\${response.status}: \${await response.text()}\`);
const bytes = Buffer.from(await response.arrayBuffer());
await writeFile("people.json", bytes);
console.log(bytes.toString());
`;

/** With the requests package. */
export const requestsSample = ({ address, key }: SampleOf): string => `import requests

response = requests.post(
    ${quoted(`${address}/api/v1/convert`)},
    headers={"Authorization": ${quoted(`Bearer ${key}`)}},
    files={"file": ("people.csv", b"name,born\\nAda,1815\\nGrace,1906\\n")},
    data={"target_format": "json"},
    timeout=60,
)
# 202: the conversion takes longer than 25 seconds; poll its job.
if response.status_code != 200:
    raise RuntimeError(response.text)
with open("people.json", "wb") as file:
    file.write(response.content)
print(response.text)
`;

/** With the standard library only. The file is the body, so that no form has to be built. */
export const urllibSample = ({ address, key }: SampleOf): string => `import urllib.request

request = urllib.request.Request(
    ${quoted(`${address}/api/v1/convert?target_format=json&source_filename=people.csv`)},
    data=b"name,born\\nAda,1815\\nGrace,1906\\n",
    headers={"Authorization": ${quoted(`Bearer ${key}`)}, "Content-Type": "text/csv"},
)
with urllib.request.urlopen(request, timeout=60) as response:
    result = response.read()
    # 202: the conversion takes longer than 25 seconds; poll its job.
    if response.status != 200:
        raise RuntimeError(result.decode())
with open("people.json", "wb") as file:
    file.write(result)
print(result.decode())
`;

/** @returns whether the text has the form of a complete API key: nothing else is filled in */
export const isCompleteKey = (text: string): boolean => /^af_(?:live|test)_[0-9A-Za-z]{40,60}$/.test(text);
