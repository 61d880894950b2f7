/** Programs that convert a small table, for the quick start: each is whole, and can be run as it stands. */

export interface SampleOf {
  /** Where this service is, without a slash at the end. */
  readonly address: string;
  /** A whole key, or a word to put one in place of. */
  readonly key: string;
}

/** Stands where a key belongs, as long as none is known. */
export const KEY_PLACEHOLDER = "YOUR_API_KEY";

/** @returns a string as JavaScript and Python both write one */
const quoted = (text: string): string => JSON.stringify(text);

/** With the project's own client, in Node. */
export const clientSample = ({ address, key }: SampleOf): string => `import { writeFile } from "node:fs/promises";
import { createClient } from "@anyform/client";

const anyform = createClient({ apiKey: ${quoted(key)}, baseUrl: ${quoted(address)} });

await writeFile("people.csv", "name,born\\nAda,1815\\nGrace,1906\\n");
const file = await anyform.convert("people.csv", "json");
await file.save("people.json");
console.log(await file.bytes().then((bytes) => new TextDecoder().decode(bytes)));
`;

/** With nothing but fetch, in Node. */
export const fetchSample = ({ address, key }: SampleOf): string => `import { writeFile } from "node:fs/promises";

const api = ${quoted(`${address}/api/v1`)};
const authorization = ${quoted(`Bearer ${key}`)};

async function ask(path: string, body?: FormData | object): Promise<any> {
  const isForm = body instanceof FormData;
  const response = await fetch(api + path, {
    method: body ? "POST" : "GET",
    headers: { authorization, ...(body && !isForm && { "content-type": "application/json" }) },
    body: isForm ? body : JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(\`\${answer.code}: \${answer.detail}\`);
  return answer;
}

const form = new FormData();
form.set("file", new File(["name,born\\nAda,1815\\nGrace,1906\\n"], "people.csv"));
const upload = await ask("/upload", form);

let job = await ask("/convert?wait=25", { upload_id: upload.upload_id, target_format: "json" });
while (job.status === "queued" || job.status === "processing") {
  job = await ask(\`/convert/\${job.id}/status?wait=25\`);
}
if (job.status !== "completed") throw new Error(job.error.detail);

// fetch follows to where the file lies, and leaves the key behind when that is another host.
const result = await fetch(job.result.download_url, { headers: { authorization } });
if (!result.ok) throw new Error(\`The download was answered with \${result.status}.\`);
const bytes = Buffer.from(await result.arrayBuffer());
await writeFile(job.result.filename, bytes);
console.log(bytes.toString());
`;

/** With the package requests. */
export const requestsSample = ({ address, key }: SampleOf): string => `import requests

API = ${quoted(`${address}/api/v1`)}
session = requests.Session()
session.headers["Authorization"] = ${quoted(`Bearer ${key}`)}


def ask(method, path, **body):
    response = session.request(method, API + path, timeout=60, **body)
    answer = response.json()
    if not response.ok:
        raise RuntimeError(f"{answer['code']}: {answer['detail']}")
    return answer


table = b"name,born\\nAda,1815\\nGrace,1906\\n"
upload = ask("POST", "/upload", files={"file": ("people.csv", table)})

job = ask("POST", "/convert?wait=25", json={"upload_id": upload["upload_id"], "target_format": "json"})
while job["status"] in ("queued", "processing"):
    job = ask("GET", f"/convert/{job['id']}/status?wait=25")
if job["status"] != "completed":
    raise RuntimeError(job["error"]["detail"])

# requests follows to where the file lies, and leaves the key behind when that is another host.
result = session.get(job["result"]["download_url"], timeout=60)
result.raise_for_status()
with open(job["result"]["filename"], "wb") as file:
    file.write(result.content)
print(result.text)
`;

/** With the standard library alone. urllib would take the key along to where the file lies, which refuses it: so it asks for the address. */
export const urllibSample = ({ address, key }: SampleOf): string => `import json
import urllib.request
import uuid

API = ${quoted(`${address}/api/v1`)}
KEY = ${quoted(key)}


def ask(path, body=None, media_type="application/json"):
    headers = {"Authorization": f"Bearer {KEY}", "Accept": "application/json"}
    if body is not None:
        headers["Content-Type"] = media_type
    request = urllib.request.Request(API + path, data=body, headers=headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


table = b"name,born\\nAda,1815\\nGrace,1906\\n"
edge = uuid.uuid4().hex
head = f'--{edge}\\r\\nContent-Disposition: form-data; name="file"; filename="people.csv"\\r\\n\\r\\n'
form = head.encode() + table + f"\\r\\n--{edge}--\\r\\n".encode()
upload = ask("/upload", form, f"multipart/form-data; boundary={edge}")

wanted = {"upload_id": upload["upload_id"], "target_format": "json"}
job = ask("/convert?wait=25", json.dumps(wanted).encode())
while job["status"] in ("queued", "processing"):
    job = ask(f"/convert/{job['id']}/status?wait=25")
if job["status"] != "completed":
    raise RuntimeError(job["error"]["detail"])

# urllib would send the key along to where the file lies, which refuses it. So ask for the address, and go there without.
place = ask(f"/download/{job['result']['download_token']}")
with urllib.request.urlopen(place["url"], timeout=60) as response:
    result = response.read()
with open(place["filename"], "wb") as file:
    file.write(result)
print(result.decode())
`;

/** A request that may be sent twice, and counts once. */
export const idempotentSample = ({ address, key }: SampleOf): string => `curl -sS '${address}/api/v1/convert' \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: 4f5f9c0e-1c7b-4e57-9a39-0b6c2f6a7d11' \\
  -d '{"upload_id": "upl_…", "target_format": "pdf"}'`;

/** What comes to a webhook. */
export const webhookSample = `POST /your/address
webhook-id: msg_…
webhook-timestamp: 1795305600
webhook-signature: v1,…

{"type": "job.completed", "timestamp": "2026-11-22T00:00:00Z",
 "data": {"id": "job_…", "status": "completed", "result": {…}}}`;

/** @returns whether it looks like a whole API key: nothing else is filled in */
export const looksLikeKey = (text: string): boolean => /^af_(?:live|test)_[0-9A-Za-z]{40,60}$/.test(text);
