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

const api = ${quoted(`${address}/api/v1`)};
const authorization = ${quoted(`Bearer ${key}`)};

async function call(path: string, body?: FormData | object): Promise<any> {
  const isForm = body instanceof FormData;
  const response = await fetch(api + path, {
    method: body ? "POST" : "GET",
    headers: { authorization, ...(body && !isForm && { "content-type": "application/json" }) },
    body: isForm ? body : JSON.stringify(body),
  });
  const result = await response.json();
  if (!response.ok) throw new Error(\`\${result.code}: \${result.detail}\`);
  return result;
}

const form = new FormData();
form.set("file", new File(["name,born\\nAda,1815\\nGrace,1906\\n"], "people.csv"));
const upload = await call("/upload", form);

let job = await call("/convert?wait=25", { upload_id: upload.upload_id, target_format: "json" });
while (job.status === "queued" || job.status === "processing") {
  job = await call(\`/convert/\${job.id}/status?wait=25\`);
}
if (job.status !== "completed") throw new Error(job.error.detail);

// fetch follows the redirect to the file and does not send the key to another host.
const download = await fetch(job.result.download_url, { headers: { authorization } });
if (!download.ok) throw new Error(\`The download failed with status \${download.status}.\`);
const bytes = Buffer.from(await download.arrayBuffer());
await writeFile(job.result.filename, bytes);
console.log(bytes.toString());
`;

/** With the requests package. */
export const requestsSample = ({ address, key }: SampleOf): string => `import requests

API = ${quoted(`${address}/api/v1`)}
session = requests.Session()
session.headers["Authorization"] = ${quoted(`Bearer ${key}`)}


def call(method, path, **body):
    response = session.request(method, API + path, timeout=60, **body)
    result = response.json()
    if not response.ok:
        raise RuntimeError(f"{result['code']}: {result['detail']}")
    return result


table = b"name,born\\nAda,1815\\nGrace,1906\\n"
upload = call("POST", "/upload", files={"file": ("people.csv", table)})

job = call("POST", "/convert?wait=25", json={"upload_id": upload["upload_id"], "target_format": "json"})
while job["status"] in ("queued", "processing"):
    job = call("GET", f"/convert/{job['id']}/status?wait=25")
if job["status"] != "completed":
    raise RuntimeError(job["error"]["detail"])

# requests follows the redirect to the file and does not send the key to another host.
download = session.get(job["result"]["download_url"], timeout=60)
download.raise_for_status()
with open(job["result"]["filename"], "wb") as file:
    file.write(download.content)
print(download.text)
`;

/** With the standard library only. urllib sends the key along on redirects, and the file host rejects it: so it requests the URL first. */
export const urllibSample = ({ address, key }: SampleOf): string => `import json
import urllib.request
import uuid

API = ${quoted(`${address}/api/v1`)}
KEY = ${quoted(key)}


def call(path, body=None, media_type="application/json"):
    headers = {"Authorization": f"Bearer {KEY}", "Accept": "application/json"}
    if body is not None:
        headers["Content-Type"] = media_type
    request = urllib.request.Request(API + path, data=body, headers=headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


table = b"name,born\\nAda,1815\\nGrace,1906\\n"
boundary = uuid.uuid4().hex
head = f'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; filename="people.csv"\\r\\n\\r\\n'
form = head.encode() + table + f"\\r\\n--{boundary}--\\r\\n".encode()
upload = call("/upload", form, f"multipart/form-data; boundary={boundary}")

body = {"upload_id": upload["upload_id"], "target_format": "json"}
job = call("/convert?wait=25", json.dumps(body).encode())
while job["status"] in ("queued", "processing"):
    job = call(f"/convert/{job['id']}/status?wait=25")
if job["status"] != "completed":
    raise RuntimeError(job["error"]["detail"])

# urllib sends the key along on redirects, and the file host rejects it.
# So request the URL first, then download without the key.
file_info = call(f"/download/{job['result']['download_token']}")
with urllib.request.urlopen(file_info["url"], timeout=60) as response:
    result = response.read()
with open(file_info["filename"], "wb") as file:
    file.write(result)
print(result.decode())
`;

/** A request that can be sent twice and counts once. */
export const idempotentSample = ({ address, key }: SampleOf): string => `curl -sS '${address}/api/v1/convert' \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: 4f5f9c0e-1c7b-4e57-9a39-0b6c2f6a7d11' \\
  -d '{"upload_id": "upl_…", "target_format": "pdf"}'`;

/** A webhook message. */
export const webhookSample = `POST /your/address
webhook-id: msg_…
webhook-timestamp: 1795305600
webhook-signature: v1,…

{"type": "job.completed", "timestamp": "2026-11-22T00:00:00Z",
 "data": {"id": "job_…", "status": "completed", "result": {…}}}`;

/** @returns whether the text has the form of a complete API key: nothing else is filled in */
export const isCompleteKey = (text: string): boolean => /^af_(?:live|test)_[0-9A-Za-z]{40,60}$/.test(text);
