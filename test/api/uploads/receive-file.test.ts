import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { measuredOnly, receiveForm } from "../../../functions/api/uploads/receive-file.ts";
import { sha256Hex } from "../../../functions/domain/ids.ts";
import { hugePng } from "../../support/png.ts";
import { requestOf } from "../../support/world/requests.ts";

const png = hugePng(8, 2, 2);
const context = { uploadBytesMax: 1_000_000 };

/** @returns the result of receiving a PNG image with this declared format, and whether it was discarded */
const received = async (sourceFormat: string) => {
  const body = Buffer.concat([
    Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
    png,
    Buffer.from(`\r\n--b\r\ncontent-disposition: form-data; name="source_format"\r\n\r\n${sourceFormat}\r\n--b--\r\n`),
  ]);
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const request = { ...requestOf(undefined), headers, stream: () => Readable.from([body]) };
  let discarded = false;
  const target = {
    store: measuredOnly.store,
    discard: async () => {
      discarded = true;
    },
  };
  const result = await receiveForm(context, request, { filesMax: 1, next: async () => target }).then(
    ({ files }) => files[0],
    (error: unknown) => error,
  );
  return { result, discarded };
};

test("keeps a file that is in its declared format", async () => {
  const file = { filename: "a.png", bytes: png.length, sha256: sha256Hex(png), format: "png", sourceFormat: "png" };
  expect(await received("image/png")).toEqual({ result: file, discarded: false });
});

test("detects the format of a file whose source_format is an empty form field", async () => {
  expect(await received("")).toMatchObject({ result: { format: "png" }, discarded: false });
});

test.each([
  ["docx", "source_format_mismatch"],
  ["pgn", "invalid_request"],
  ["x".repeat(10_000), "invalid_request"],
])("discards a file with the source_format %.10s: %s", async (sourceFormat, code) => {
  expect(await received(sourceFormat)).toMatchObject({ result: { code }, discarded: true });
});
