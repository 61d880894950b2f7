import { createHash } from "node:crypto";
import type { buildApp } from "fauxqs";

type App = ReturnType<typeof buildApp>;
type Request = { readonly url: string };

interface Part {
  readonly bytes: number;
  readonly etag: string;
}

/**
 * Multipart and checksum features that the S3 emulator lacks: ListParts ("Amazon S3 API Reference"), and rejection of a
 * body that does not match the SHA-256 in its header.
 */
export const addParts = (app: App): void => {
  const transfers = new Map<string, Map<number, Part>>();
  app.addHook("preHandler", async (request, reply) => {
    const said = request.headers["x-amz-checksum-sha256"];
    if (Buffer.isBuffer(request.body) && typeof said === "string" && sha256(request.body) !== said) {
      await reply.code(400).type("application/xml").send(failure("BadDigest"));
    }
    const transfer = transferOf(request);
    if (request.method === "GET" && transfer !== undefined) {
      const parts = transfers.get(transfer);
      await reply
        .code(parts === undefined ? 404 : 200)
        .type("application/xml")
        .send(parts === undefined ? failure("NoSuchUpload") : listing(parts));
    }
  });
  app.addHook("onSend", async (request, reply, payload) => {
    const transfer = transferOf(request);
    const begun = /<UploadId>([^<]+)<\/UploadId>/.exec(String(payload))?.[1];
    if (request.method === "POST" && begun !== undefined) {
      transfers.set(begun, new Map());
    } else if (reply.statusCode < 300 && transfer !== undefined && request.method === "PUT") {
      const number = Number(queryOf(request).get("partNumber"));
      const bytes = Buffer.isBuffer(request.body) ? request.body.length : 0;
      transfers.get(transfer)?.set(number, { bytes, etag: String(reply.getHeader("etag")) });
    } else if (reply.statusCode < 300 && transfer !== undefined && request.method !== "GET") {
      transfers.delete(transfer);
    }
  });
};

const listing = (parts: ReadonlyMap<number, Part>): string => {
  const rows = [...parts].sort(([one], [other]) => one - other);
  const items = rows.map(
    ([number, { bytes, etag }]) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', "&quot;")}</ETag><Size>${bytes}</Size></Part>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListPartsResult><IsTruncated>false</IsTruncated>${items.join("")}</ListPartsResult>`;
};

const failure = (code: string): string => `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`;

const queryOf = ({ url }: Request): URLSearchParams => new URL(url, "http://127.0.0.1").searchParams;

const transferOf = (request: Request): string | undefined => queryOf(request).get("uploadId") ?? undefined;

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("base64");
