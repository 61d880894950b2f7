import { uploadView } from "../../domain/uploads/upload.ts";
import type { TransferView } from "../../domain/uploads/upload-views.ts";
import { onceAtATime } from "../middleware/idempotency.ts";
import { checkedBody, isJson, readBody } from "../middleware/read-json.ts";
import { type AnswerDescription, example, operation, type Variant } from "../operation.ts";
import { metered, sessionOnly } from "../permissions.ts";
import { announceUpload, announceUploadRequest } from "./announce-upload.ts";
import { importUpload, importUploadRequest } from "./import-upload.ts";
import { receiveUpload } from "./receive-upload.ts";
import { SOURCE_FORMAT_CHARACTERS_MAX, SOURCE_FORMAT_DESCRIPTION } from "./source-format.ts";

const KEPT =
  "Files are kept for 24 hours. With a test key (`af_test_…`) files can have up to 1 MB and nothing is counted; a " +
  "filename such as `fail-payload_too_large.png` or `fail-timed_out.png` simulates that error of the request or the job.";

const created = (description: string, examples: readonly string[]): AnswerDescription => ({
  description,
  examples,
  headers: ["Idempotent-Replayed"],
});

/** Creates an upload in one of three ways: receives a form, announces a file that the client sends later, imports a URL. */
export const createUpload = operation({
  id: "createUpload",
  methods: ["POST"],
  path: "/api/v1/upload",
  aliases: { createDirectUpload: "/api/v1/upload/direct", createUrlUpload: "/api/v1/upload/url" },
  auth: "key",
  visitors: true,
  scope: "upload",
  metered: "upload",
  memoryMegabytes: 1_024,
  timeoutSeconds: 29,
  permissions: {
    tables: { ...metered, jobs: ["GetItem", "PutItem", "UpdateItem"] },
    // An idempotency key is held while its request is being processed.
    only: { ...sessionOnly, jobs: { attributes: ["expiresAt", "holder", "kind", "pk", "ttl"] } },
    files: { uploads: ["AbortMultipartUpload", "DeleteObject", "ListMultipartUploadParts", "PutObject"] },
    plans: true,
    asks: ["imports"],
  },
  tag: "Uploads",
  summary: "Upload a file",
  description: `Uploads a file as a multipart form with the field \`file\`; other fields are ignored. The upload is \`ready\` in the response. Up to 4,500,000 bytes on AWS, up to 5 GB on one machine. For other files use \`createDirectUpload\` or \`createUrlUpload\`: this path accepts their JSON as well.

\`targets\` of the response lists the formats the file can be converted to, as detected from the content. \`source_format\` declares the format of a file with ambiguous content. A file with the signature of another format is rejected with \`source_format_mismatch\`.

${KEPT}`,
  parameters: ["idempotencyKey"],
  files: () => ({ "multipart/form-data": uploadForm }),
  alsoServes: ["createDirectUpload", "createUrlUpload"],
  variants: () => ({ createDirectUpload: directUpload, createUrlUpload: urlUpload }),
  answers: { 201: created("The file was received.", ["uploadReady"]) },
  errors: [
    "malformed_multipart",
    "malformed_json",
    "invalid_request",
    "expired",
    "payload_too_large",
    "unsupported_media_type",
    "unrecognized_format",
    "source_format_mismatch",
    "idempotency_conflict",
    "idempotency_mismatch",
  ],
  simulatedErrors: true,
  examples: ({ baseUrl, soon, targets, uploads: { ready, sent, fetched, videoBytes } }) => {
    const store = `${baseUrl}/files/uploads/${ready.id}`;
    const put = { method: "PUT", expires_at: soon } as const;
    const inOne = { ...put, url: `${store}?signature=…`, headers: {} };
    return {
      directUpload: example("DirectUploadRequest", "A large file", {
        filename: "film.mov",
        size: videoBytes,
        content_type: "video/quicktime",
        sha256: ready.sha256,
      }),
      urlUpload: example("UrlUploadRequest", "A file to import", {
        url: "https://example.com/holiday.heic",
        headers: { authorization: "Bearer abc" },
      }),
      storageUpload: example("UrlUploadRequest", "An object in a storage", {
        storage: "archive",
        key: "in/holiday.heic",
      }),
      uploadReady: example("Upload", "A file that was received", uploadView(ready, targets)),
      uploadInOne: example("Upload", "A file to send with one PUT", uploadView(sent(ready.bytes), targets, inOne)),
      uploadInParts: example(
        "Upload",
        "A file to send in parts, the first of which was received",
        uploadView(sent(videoBytes), targets, { ...put, parts: sampleParts(store) }),
      ),
      uploadFetched: example("Upload", "A file that is being fetched", uploadView(fetched, targets)),
    };
  },
  schemas: () => ({ DirectUploadRequest: announceUploadRequest, UrlUploadRequest: importUploadRequest }),
  run: (context) => (request) =>
    onceAtATime(context, request, {
      operation: "createUpload",
      work: async () => {
        if (!isJson(request)) {
          return receiveUpload(context, request);
        }
        const body = await readBody(request);
        return typeof body === "object" && body !== null && ("url" in body || "storage" in body)
          ? importUpload(context, { ...request, body: checkedBody(body, importUploadRequest) })
          : announceUpload(context, { ...request, body: checkedBody(body, announceUploadRequest) });
      },
    }),
});

const directUpload: Variant = {
  summary: "Announce a large file",
  description: `Creates an upload for a file that is sent separately, up to 5 GB: \`upload\` of the response has the URL to PUT the file to. Files above 100 MB are sent in parts, in any order; parts can be resent. Then call \`completeUpload\`. If the content has the signature of another format than \`source_format\`, the upload fails with \`source_format_mismatch\`.

${KEPT}`,
  files: () => ({}),
  requests: ["directUpload"],
  alsoServes: [],
  answers: { 201: created("The upload waits for the file.", ["uploadInOne", "uploadInParts"]) },
};

const urlUpload: Variant = {
  summary: "Import a file from a URL",
  description: `Creates an upload from a URL, or from an object in a saved storage (\`storage\` and \`key\`), which the service fetches in the background. Poll \`getUpload\`. If the content has the signature of another format than \`source_format\`, the upload fails with \`source_format_mismatch\`.

${KEPT}`,
  files: () => ({}),
  requests: ["urlUpload", "storageUpload"],
  alsoServes: [],
  answers: { 201: created("The file is being fetched.", ["uploadFetched"]) },
};

const uploadForm = {
  type: "object",
  required: ["file"],
  properties: {
    file: { type: "string", format: "binary", description: "The file, with its filename." },
    source_format: { type: "string", maxLength: SOURCE_FORMAT_CHARACTERS_MAX, description: SOURCE_FORMAT_DESCRIPTION },
  },
};

const sampleParts = (store: string): TransferView["parts"] =>
  [50_000_000, 50_000_000, 20_000_000].map((size, index) => ({
    number: index + 1,
    offset: index * 50_000_000,
    size,
    url: `${store}?part=${index + 1}&signature=…`,
    headers: {},
    received: index === 0,
  }));
