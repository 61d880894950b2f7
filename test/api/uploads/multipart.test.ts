import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ApiRequest } from "../../../functions/api/request.ts";
import { type IncomingFile, readForm } from "../../../functions/api/uploads/multipart.ts";
import { RequestError } from "../../../functions/domain/errors.ts";
import { requestOf } from "../../support/world/requests.ts";

/** Multipart bodies split into chunks of every size, with a store that may fail at any time. */

const BOUNDARY = "b";
const part = (disposition: string, content: string): string =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const file = (name: string, content: string): string => part(`name="file"; filename="${name}"`, content);
const DECLARED = part('name="source_format"', "csv");
const END = `--${BOUNDARY}--\r\n`;

const sending = (body: string, chunkBytes: number, type = `multipart/form-data; boundary=${BOUNDARY}`): ApiRequest => {
  const bytes = Buffer.from(body);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  return { ...requestOf(undefined), headers: { "content-type": type }, stream: () => Readable.from(chunks) };
};

const keep = async ({ filename, content }: IncomingFile): Promise<{ filename: string; text: string }> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) {
    chunks.push(chunk);
  }
  return { filename, text: Buffer.concat(chunks).toString() };
};

const BODY_BYTES_MAX = 100_000;

const outcome = async (request: ApiRequest, store: typeof keep = keep, filesMax = 1) => {
  const discarded: unknown[] = [];
  const discard = async (stored: unknown) => void discarded.push(stored);
  const reader = { filesMax, bodyBytesMax: BODY_BYTES_MAX, store, discard };
  const result = await readForm(request, reader).catch((error: unknown) => error);
  return { result, discarded };
};

const codeOf = (error: unknown): unknown => (error instanceof RequestError ? error.code : error);
const CHUNKS = [1, 2, 3, 7, 16, 61, 1_000];

describe("a multipart body", () => {
  it.each(CHUNKS)("is read completely, in chunks of %i bytes", async (chunkBytes) => {
    const content = "line\r\n--not quite\r\n-".repeat(40);
    const { result, discarded } = await outcome(sending(file("Zoë.txt", content) + END, chunkBytes));
    expect(result).toEqual({ files: [{ filename: "Zoë.txt", text: content }], fields: [] });
    expect(discarded).toEqual([]);
  });

  it.each(CHUNKS)("returns several files and all fields in order, in chunks of %i bytes", async (chunkBytes) => {
    const body = [
      part('name="target_format"', "pdf"),
      file("a", "one".repeat(100)),
      part('name="options[quality]"', "80"),
      part('name="picture"; filename="c"', "ignored".repeat(30)),
      part('name="file"', "no filename"),
      part('name="metadata"; filename="blob"\r\ncontent-type: application/json', "{}"),
    ].join("");
    const { result } = await outcome(sending(body + END, chunkBytes), keep, 3);
    expect(result).toEqual({
      files: [
        { filename: "a", text: "one".repeat(100) },
        { filename: "", text: "no filename" },
      ],
      fields: [
        ["target_format", "pdf"],
        ["options[quality]", "80"],
        ["metadata", "{}"],
      ],
    });
  });

  it.each(CHUNKS)("discards all stored files when the form fails, in chunks of %i bytes", async (chunkBytes) => {
    const whole = file("a", "one") + file("b", "two") + file("c", "three".repeat(20));
    const stored: unknown[] = [];
    const store: typeof keep = async (incoming) => {
      const kept = await keep(incoming);
      stored.push(kept);
      return kept;
    };
    const { result, discarded } = await outcome(sending(whole.slice(0, -30), chunkBytes), store, 3);
    expect(codeOf(result)).toBe("malformed_multipart");
    expect(discarded).toEqual(stored);
    const late = sending(whole + part('name="x"', "x".repeat(64_001)) + END, 1_000);
    const refused = await outcome(late, keep, 3);
    expect(codeOf(refused.result)).toBe("payload_too_large");
  });

  it("has limits for the fields and for the complete body", async () => {
    const field = part('name="x"', "y".repeat(60_000));
    const many = part('name="x"', "").repeat(101);
    const ignored = part('name="x"; filename="x"', "y".repeat(BODY_BYTES_MAX));
    const codes = [];
    for (const parts of [field.repeat(2), many, ignored]) {
      codes.push(codeOf((await outcome(sending(file("a", "one") + parts + END, 1_000))).result));
    }
    expect(codes).toEqual(["payload_too_large", "malformed_multipart", "payload_too_large"]);
  });

  it("rejects a compressed body", async () => {
    const request = sending(file("a", "one") + END, 100);
    const { result } = await outcome({ ...request, headers: { ...request.headers, "content-encoding": "gzip" } });
    expect(codeOf(result)).toBe("unsupported_media_type");
  });

  it.each(CHUNKS)(
    "is rejected with a second file, and the first is discarded, in chunks of %i bytes",
    async (chunkBytes) => {
      const { result, discarded } = await outcome(sending(file("a", "one") + file("b", "two") + END, chunkBytes));
      expect(codeOf(result)).toBe("invalid_request");
      expect(discarded.length).toBeLessThanOrEqual(1);
    },
  );

  it.each(CHUNKS)(
    "is rejected with the store's error, before or during reading, in chunks of %i bytes",
    async (chunkBytes) => {
      const refusal = new RequestError("payload_too_large", "It is too large.");
      const body = file("a", "content".repeat(50)) + END;
      const unread = async () => {
        throw refusal;
      };
      expect((await outcome(sending(body, chunkBytes), unread)).result).toBe(refusal);
      const halfRead: typeof keep = async ({ content }) => {
        for await (const _ of content) {
          throw refusal;
        }
        return { filename: "", text: "" };
      };
      expect((await outcome(sending(body, chunkBytes), halfRead)).result).toBe(refusal);
    },
  );

  it("fails as the store says when the store stops reading a large file", async () => {
    const refusal = new RequestError("payload_too_large", "It is too large.");
    const stopping: typeof keep = async ({ content }) => {
      for await (const _ of content) {
        throw refusal;
      }
      return { filename: "", text: "" };
    };
    const body = file("a", "x".repeat(90_000)) + END;
    expect((await outcome(sending(body, 16_384), stopping)).result).toBe(refusal);
  });

  it("is rejected when its client has disconnected before it is read", async () => {
    const request = sending(file("a", "x") + END, 10);
    const body = request.stream();
    body.on("error", () => {}).destroy(new Error("aborted"));
    await nextTurn();
    const { result } = await outcome({ ...request, stream: () => body });
    expect(codeOf(result)).toBe("malformed_multipart");
  });

  it.each(CHUNKS)("is rejected when it is truncated, in chunks of %i bytes", async (chunkBytes) => {
    const whole = file("a", "0123456789".repeat(20)) + END;
    for (const length of [10, 60, 90, 150, whole.length - 5]) {
      const { result } = await outcome(sending(whole.slice(0, length), chunkBytes));
      expect(["malformed_multipart", "invalid_request"]).toContain(codeOf(result));
    }
  });

  it.each(CHUNKS)("propagates the store's error and ends, in chunks of %i bytes", async (chunkBytes) => {
    const full = async ({ content }: IncomingFile): Promise<never> => {
      for await (const _ of content) {
        throw new RequestError("payload_too_large", "as the test wants it");
      }
      throw new TypeError("Missing chunk.");
    };
    const { result } = await outcome(sending(file("a", "x".repeat(5_000)) + END, chunkBytes), full);
    expect(codeOf(result)).toBe("payload_too_large");
  });

  it("that ends early because the client disconnected is a bad request, not an internal error", async () => {
    const broken = Readable.from(
      (function* () {
        yield Buffer.from(file("a", "x".repeat(500)));
        throw Object.assign(new Error("aborted"), { code: "ECONNRESET" });
      })(),
    );
    const { result } = await outcome({ ...sending("", 9), stream: () => broken });
    expect(codeOf(result)).toBe("malformed_multipart");
  });

  it("is rejected without a file, with another field only, and without a boundary", async () => {
    expect(codeOf((await outcome(sending(END, 9))).result)).toBe("invalid_request");
    expect(codeOf((await outcome(sending(part('name="x"', "1") + END, 9))).result)).toBe("invalid_request");
    expect(codeOf((await outcome(sending("", 9, "multipart/mixed; boundary=b"))).result)).toBe(
      "unsupported_media_type",
    );
    for (const type of ["multipart/form-data", "multipart/form-data; x=y"]) {
      expect((await outcome(sending("", 9, type))).result).toMatchObject({
        code: "malformed_multipart",
        message: "The Content-Type has no boundary. Let your HTTP client set it.",
      });
    }
    expect(codeOf((await outcome(sending("", 9))).result)).toBe("malformed_multipart");
  });

  it.each(CHUNKS)("can declare the format before or after the file, in chunks of %i bytes", async (chunkBytes) => {
    for (const body of [DECLARED + file("a", "one"), file("a", "one") + DECLARED]) {
      const { result } = await outcome(sending(body + END, chunkBytes));
      expect(result).toEqual({ files: [{ filename: "a", text: "one" }], fields: [["source_format", "csv"]] });
    }
  });

  it.each(CHUNKS)(
    "is not reported as invalid when the store fails, early or late, in chunks of %i bytes",
    async (chunkBytes) => {
      const early = async () => {
        throw new TypeError("The file store failed.");
      };
      const late = async (incoming: IncomingFile) => {
        await keep(incoming);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return early();
      };
      for (const store of [early, late]) {
        const { result, discarded } = await outcome(sending(file("a", "one".repeat(50)) + END, chunkBytes), store);
        expect([result, discarded]).toEqual([new TypeError("The file store failed."), []]);
      }
    },
  );
});
