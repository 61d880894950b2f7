import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { extensionOf } from "../../../../functions/domain/formats/formats.ts";
import { macroText, officeAttacks } from "../../support/documents/office-references.ts";
import { viewPdf } from "../../support/documents/pdf.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { convertingBy, isInstalled } from "../../support/task.ts";

/** Untrusted office documents: nothing is fetched, no other file is read, no macro runs. */

const scratch = scratchFolder();
const convert = convertingBy("soffice", scratch);
const SECRET = "Kleinodienschrank";
/** A color that no office suite uses by default. */
const SECRET_COLOR = { r: 253, g: 1, b: 247 };

let port = 0;
const heard: string[] = [];
let picture: Buffer;
const server = createServer((request, response) => {
  heard.push(String(request.url));
  response.end(request.url?.endsWith(".png") ? picture : SECRET);
});
server.on("connection", () => heard.push("connection"));

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
  picture = await sharp({ create: { width: 60, height: 60, channels: 3, background: SECRET_COLOR } })
    .png()
    .toBuffer();
  writeFileSync(scratch.path("secret.png"), picture);
  writeFileSync(scratch.path("secret.txt"), `${SECRET}\n`);
  writeFileSync(scratch.path("secret.html"), `<html><body><p>${SECRET}</p></body></html>`);
});
afterAll(() => server.close());

const isSecret = (pixels: Uint8Array): boolean => {
  for (let at = 0; at < pixels.length; at += 3) {
    const [r = 0, g = 0, b = 0] = pixels.subarray(at, at + 3);
    if (r === SECRET_COLOR.r && g === SECRET_COLOR.g && b === SECRET_COLOR.b) {
      return true;
    }
  }
  return false;
};

const places = ["png", "txt", "html"].flatMap((kind) => [
  { kind, from: "the network", at: (): string => `http://127.0.0.1:${port}/secret.${kind}` },
  { kind, from: "the disk", at: (): string => `file://${scratch.path(`secret.${kind}`)}` },
]);

describe.skipIf(!isInstalled("soffice"))("office documents", () => {
  for (const { title, format, write } of officeAttacks) {
    test.each(places)(`${title} loads no $kind from $from`, async ({ at }) => {
      const path = `${scratch.fresh()}.${extensionOf(format)}`;
      heard.length = 0;
      await write(path, at());
      const result = await convert(path, [format, "pdf"]).catch((error: unknown) => error);
      expect(heard).toEqual([]);
      if (result instanceof Error) {
        expect(result).toMatchObject({ code: expect.stringMatching(/^(?:source_corrupt|unsupported_feature)$/) });
        return;
      }
      const pages = await viewPdf((result as Awaited<ReturnType<typeof convert>>).path);
      expect(pages.length).toBeGreaterThan(0);
      for (const { text, pixels } of pages) {
        expect(text).not.toContain(SECRET);
        expect(isSecret(pixels)).toBe(false);
      }
    });
  }

  test("external content of a text is not embedded in the result", async () => {
    const [attack] = officeAttacks;
    const path = `${scratch.fresh()}.fodt`;
    await attack?.write(path, `file://${scratch.path("secret.png")}`);
    const { path: made } = await convert(path, ["fodt", "docx"]);
    const { readZip } = await import("../../../../functions/engines/archives/zip/reader.ts");
    await readZip(made, async (zip) => {
      for (const name of zip.paths) {
        expect((await zip.read(name))?.includes(picture)).toBe(false);
      }
    });
  });

  test("a macro for opening the document does not run", async () => {
    const mark = scratch.path("macro-ran");
    await convert(scratch.file(macroText(mark)), ["fodt", "pdf"]);
    expect(existsSync(mark)).toBe(false);
  });
});
