import { FormData } from "undici";

/** A request with a known status: valid and invalid ones of every operation that an API key can call. */
export interface ContractRequest {
  readonly name: string;
  readonly method: "DELETE" | "GET" | "HEAD" | "POST" | "PUT";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A function for a form, because each is sent once. */
  readonly body?: string | Uint8Array | (() => FormData);
  /** @default the key of the account */
  readonly key?: "invalid" | "none";
  readonly status: number;
}

/** Resources that the requests refer to. */
export interface ContractWorld {
  readonly png: Uint8Array;
  readonly uploadId: string;
  /** An upload that is still incomplete. */
  readonly pendingId: string;
  readonly jobId: string;
  readonly jobEtag: string;
  readonly token: string;
  readonly fileEtag: string;
}

type Row = readonly [name: string, call: `${ContractRequest["method"]} /${string}`, status: number, Rest?];
type Rest = Omit<ContractRequest, "method" | "name" | "path" | "status">;

const json = (value: unknown, headers: Record<string, string> = {}): Rest => ({
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});

const NO_TOKEN = `dl_${"0".repeat(43)}`;

/** @returns the requests in an order in which all of them have their status */
export const contractRequests = (world: ContractWorld): ContractRequest[] =>
  [
    ...readRows(world),
    ...uploadRows(world),
    ...convertRows(world),
    ...pipelineRows(world),
    ...storageRows(),
    ...downloadRows(world),
    ...changeRows(world),
  ].map(([name, call, status, rest = {}]) => {
    const [method, path] = call.split(" ") as [ContractRequest["method"], string];
    return { name, method, path: path.startsWith("/health") ? path : `/api/v1${path}`, status, ...rest };
  });

const form = (fields: Readonly<Record<string, string | File>>, headers: Record<string, string> = {}): Rest => ({
  headers,
  body: () => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      data.append(name, value);
    }
    return data;
  },
});

const readRows = ({ uploadId, jobId, jobEtag }: ContractWorld): Row[] => [
  ["health", "GET /health", 200, { key: "none" }],
  ["health by HEAD", "HEAD /health", 200, { key: "none" }],
  ["formats", "GET /formats?conversions=false", 200, { key: "none" }],
  ["formats of a source", "GET /formats?source=png", 200, { key: "none" }],
  ["formats by HEAD", "HEAD /formats?conversions=false", 200, { key: "none" }],
  ["one conversion", "GET /formats/png/jpg", 200, { key: "none" }],
  ["an impossible conversion", "GET /formats/png/mp3", 422, { key: "none" }],
  ["formats with a wrong flag", "GET /formats?conversions=maybe", 400],
  ["the document by HEAD", "HEAD /openapi.json", 200, { key: "none" }],
  ["the account", "GET /account", 200],
  ["the account by HEAD", "HEAD /account", 200],
  ["the account without a key", "GET /account", 401, { key: "none" }],
  ["the account with a wrong key", "GET /account", 401, { key: "invalid" }],
  ["the usage", "GET /account/use", 200],
  ["the usage of no month", "GET /account/use?month=2026-13", 400],
  ["the usage by key and format", "GET /account/use/details", 200],
  ["the usage as CSV", "GET /account/use/details.csv", 200],
  ["the details of no month", "GET /account/use/details?month=2026-13", 400],
  ["the jobs", "GET /convert?limit=2", 200],
  ["the failed jobs", "GET /convert?status=failed", 200],
  ["jobs of no status", "GET /convert?status=lost", 400],
  ["too many jobs", "GET /convert?limit=1000", 400],
  ["a job", `GET /convert/${jobId}/status`, 200],
  ["a job by its short path", `GET /convert/${jobId}`, 200],
  ["a job by HEAD", `HEAD /convert/${jobId}/status`, 200],
  ["an unchanged job", `GET /convert/${jobId}/status`, 304, { headers: { "if-none-match": jobEtag } }],
  ["a job with a wrong wait", `GET /convert/${jobId}/status?wait=long`, 400],
  ["a missing job", "GET /convert/job_0/status", 404],
  ["the events of a finished job", `GET /convert/${jobId}/events`, 200],
  ["the events of a missing job", "GET /convert/job_0/events", 404],
  ["an upload", `GET /upload/${uploadId}`, 200],
  ["a missing upload", "GET /upload/upl_0", 404],
  ["the status of the service", "GET /status", 200, { key: "none" }],
  ["the request log", "GET /requests?limit=2", 200],
  ["the refused requests", "GET /requests?status_class=4xx&operation=getJob", 200],
  ["requests of no class", "GET /requests?status_class=9xx", 400],
  ["requests of no time", "GET /requests?created_after=yesterday", 400],
  ["a missing request", "GET /requests/req_0", 404],
  ["the webhook messages", "GET /webhooks", 200],
  ["the webhook messages of an endpoint", "GET /webhooks?endpoint=default", 200],
  ["the webhook secret", "GET /webhooks/secret", 200],
  ["the webhook endpoints", "GET /webhook-endpoints", 200],
  ["an unknown path", "GET /nothing", 404],
  ["a wrong method", "PUT /account", 405],
];

const uploadRows = ({ png }: ContractWorld): Row[] => {
  const file = new File([Uint8Array.from(png)], "a.png");
  return [
    ["a form upload", "POST /upload", 201, form({ file })],
    ["a form upload with a format", "POST /upload", 201, form({ file, source_format: "png" })],
    ["a form upload with a wrong format", "POST /upload", 422, form({ file, source_format: "pdf" })],
    ["a form without a file", "POST /upload", 400, form({ other: "text" })],
    ["a form with a text as file", "POST /upload", 201, form({ file: "text" })],
    ["an upload without a key", "POST /upload", 401, { ...form({ file }), key: "none" }],
    ["an upload that is not a form", "POST /upload", 415, { headers: { "content-type": "text/plain" }, body: "text" }],
    ["an announced upload", "POST /upload/direct", 201, json({ filename: "a.png", size: 2_000 })],
    ["an announced upload in parts", "POST /upload/direct", 201, json({ filename: "a.mov", size: 120_000_000 })],
    ["an announced upload by the common path", "POST /upload", 201, json({ filename: "a.png", size: 2_000 })],
    ["an announced upload without a size", "POST /upload/direct", 400, json({ filename: "a.png" })],
    ["an upload that is too large", "POST /upload/direct", 400, json({ filename: "a.png", size: 6e9 })],
    ["an upload from a URL", "POST /upload/url", 201, json({ url: "https://example.com/a.png" })],
    ["an upload from no URL", "POST /upload/url", 400, json({ url: "example" })],
    ["an upload from a private address", "POST /upload/url", 201, json({ url: "http://10.0.0.1/a.png" })],
    ["an upload by truncated JSON", "POST /upload/direct", 400, { ...json({}), body: '{"filename":' }],
  ];
};

const convertRows = ({ png, uploadId, pendingId, jobId }: ContractWorld): Row[] => {
  const file = new File([Uint8Array.from(png)], "a.png");
  const broken = new File([Uint8Array.from(png.subarray(0, 150))], "a.png");
  const raw: Rest = { headers: { "content-type": "application/octet-stream" }, body: png };
  const jpg = { upload_id: uploadId, target_format: "jpg" };
  const once = json(jpg, { "idempotency-key": `contract-${jobId}` });
  const other = { ...once, body: JSON.stringify({ ...jpg, target_format: "webp" }) };
  return [
    ["a conversion", "POST /convert", 202, json(jpg)],
    ["a conversion with a wait", "POST /convert?wait=25", 200, json(jpg)],
    ["a conversion with Prefer", "POST /convert", 200, json(jpg, { prefer: "wait=25" })],
    ["a conversion with options", "POST /convert", 202, json({ ...jpg, options: { quality: 50 } })],
    ["a conversion with a key", "POST /convert?wait=25", 200, once],
    ["the same conversion", "POST /convert?wait=25", 200, once],
    ["another conversion with its key", "POST /convert", 422, other],
    ["a merge", "POST /convert?wait=25", 200, json({ upload_ids: [uploadId, uploadId], target_format: "pdf" })],
    ["a conversion of two kinds", "POST /convert", 400, json({ ...jpg, upload_ids: [uploadId] })],
    ["a conversion with unknown fields", "POST /convert", 400, json({ ...jpg, uploadId })],
    ["a conversion to an unknown format", "POST /convert", 422, json({ ...jpg, target_format: "nope" })],
    ["a conversion with a wrong option", "POST /convert", 422, json({ ...jpg, options: { quality: 900 } })],
    ["a conversion of a missing upload", "POST /convert", 404, json({ ...jpg, upload_id: "upl_0" })],
    ["a conversion of an incomplete upload", "POST /convert", 409, json({ ...jpg, upload_id: pendingId })],
    ["a conversion by truncated JSON", "POST /convert", 400, { ...json({}), body: '{"upload_id":' }],
    ["a form conversion", "POST /convert/file", 200, form({ file, target_format: "jpg" })],
    ["a form conversion by the common path", "POST /convert", 200, form({ file, target_format: "jpg" })],
    ["a form conversion without a wait", "POST /convert/file?wait=0", 202, form({ file, target_format: "jpg" })],
    ["a form conversion of a broken file", "POST /convert/file", 422, form({ file: broken, target_format: "webp" })],
    ["a form conversion without a target", "POST /convert/file", 400, form({ file })],
    ["a conversion of the body", "PUT /convert/file?target_format=webp&source_filename=a.png", 200, raw],
    ["a conversion of the body by the common path", "PUT /convert?target_format=webp", 200, raw],
    ["a conversion of the body without a target", "PUT /convert/file", 415, raw],
    ["a batch", "POST /convert/batch", 200, json({ conversions: [jpg, { ...jpg, upload_id: "upl_0" }] })],
    ["an empty batch", "POST /convert/batch", 400, json({ conversions: [] })],
  ];
};

const pipelineRows = ({ uploadId }: ContractWorld): Row[] => {
  const inputs = { photo: uploadId };
  const step = { name: "jpg", operation: "convert", from: "photo", target_format: "jpg" };
  return [
    ["a pipeline", "POST /pipelines", 202, json({ inputs, steps: [step] })],
    ["a pipeline with a wait", "POST /pipelines?wait=25", 200, json({ inputs, steps: [step] })],
    ["a pipeline without steps", "POST /pipelines", 400, json({ inputs, steps: [] })],
    ["a pipeline that reads nothing", "POST /pipelines", 400, json({ inputs, steps: [{ ...step, from: "none" }] })],
    ["the pipelines", "GET /pipelines?limit=2", 200],
    ["a missing pipeline", "GET /pipelines/pip_0", 404],
    ["the events of a missing pipeline", "GET /pipelines/pip_0/events", 404],
    ["the cancelation of a missing pipeline", "POST /pipelines/pip_0/cancel", 404],
    ["the deletion of a missing pipeline", "DELETE /pipelines/pip_0", 404],
    ["a new preset", "PUT /presets/web", 200, json({ target_format: "webp", options: { width: 100 } })],
    ["a preset with too many levels", "PUT /presets/web", 400, json({ options: { width: deep(40) } })],
    ["a preset", "GET /presets/web", 200],
    ["the presets", "GET /presets", 200],
    ["a conversion with a preset", "POST /convert", 202, json({ upload_id: uploadId, preset: "web" })],
    ["the deletion of a preset", "DELETE /presets/web", 204],
    ["a missing preset", "GET /presets/web", 404],
  ];
};

const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });

const storageRows = (): Row[] => {
  const s3 = { type: "s3", bucket: "results", access_key_id: "id", secret_access_key: "secret" };
  return [
    ["a new storage", "PUT /storages/backup", 200, json(s3)],
    ["a storage without a bucket", "PUT /storages/backup", 400, json({ ...s3, bucket: undefined })],
    ["the storages", "GET /storages", 200],
    ["the test of a missing storage", "POST /storages/none/test", 404],
    ["the deletion of a storage", "DELETE /storages/backup", 204],
    ["the deletion of a missing storage", "DELETE /storages/backup", 404],
  ];
};

const downloadRows = ({ token, fileEtag }: ContractWorld): Row[] => [
  ["a download", `GET /download/${token}`, 200],
  ["a download by HEAD", `HEAD /download/${token}`, 200],
  ["a part of a download", `GET /download/${token}`, 206, { headers: { range: "bytes=0-9" } }],
  ["a part of the same file", `GET /download/${token}`, 206, { headers: { range: "bytes=-5", "if-range": fileEtag } }],
  ["a part of another file", `GET /download/${token}`, 200, { headers: { range: "bytes=0-9", "if-range": '"x"' } }],
  ["a part after the end", `GET /download/${token}`, 416, { headers: { range: "bytes=99999999-" } }],
  ["an unchanged download", `GET /download/${token}`, 304, { headers: { "if-none-match": fileEtag } }],
  ["a download of another version", `GET /download/${token}`, 412, { headers: { "if-match": '"x"' } }],
  ["a download that axios requests", `GET /download/${token}`, 200, { headers: { accept: "application/json, */*" } }],
  ["the URL of a download", `GET /download/${token}/url`, 200],
  ["a missing download", `GET /download/${NO_TOKEN}`, 404],
  ["the URL of a missing download", `GET /download/${NO_TOKEN}/url`, 404],
  ["a download without a key", `GET /download/${token}`, 401, { key: "none" }],
];

const changeRows = ({ pendingId, jobId }: ContractWorld): Row[] => [
  ["the end of an incomplete upload", `POST /upload/${pendingId}/complete`, 409],
  ["the end of a missing upload", "POST /upload/upl_0/complete", 404],
  ["the redelivery of no message", "POST /webhooks/msg_0/redeliver", 404],
  ["a new webhook secret", "POST /webhooks/secret", 201],
  ["a webhook endpoint", "POST /webhook-endpoints", 201, json({ url: "https://example.com/hook" })],
  ["an endpoint for no event", "POST /webhook-endpoints", 400, json({ url: "https://example.com", events: ["none"] })],
  ["a change of no endpoint", "POST /webhook-endpoints/whe_0", 404, json({ enabled: false })],
  ["a change of the default endpoint", "POST /webhook-endpoints/default", 400, json({ enabled: false })],
  ["the test of no endpoint", "POST /webhook-endpoints/whe_0/test", 404],
  ["a new secret of no endpoint", "POST /webhook-endpoints/whe_0/secret", 404],
  ["the deletion of no endpoint", "DELETE /webhook-endpoints/whe_0", 404],
  ["keys without a session", "GET /keys", 401, { key: "none" }],
  ["the operators' overview without a session", "GET /session/operator", 401, { key: "none" }],
  ["all accounts without a session", "GET /session/operator/accounts", 401, { key: "none" }],
  [
    "a plan without a session",
    "POST /session/operator/accounts/acc_0/plan",
    401,
    { key: "none", ...json({ plan: "api" }) },
  ],
  ["the cancelation of a finished job", `POST /convert/${jobId}/cancel`, 200],
  ["the cancelation of a missing job", "POST /convert/job_0/cancel", 404],
  ["the deletion of a missing job", "DELETE /convert/job_0", 404],
  ["the deletion of an upload", `DELETE /upload/${pendingId}`, 204],
  ["the deletion of a job", `DELETE /convert/${jobId}`, 204],
  ["the deletion of a deleted job", `DELETE /convert/${jobId}`, 404],
];
