import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { Target } from "./target.ts";
import { newAccount, usedBy } from "./target.ts";

const PAGE = `<svg xmlns="http://www.w3.org/2000/svg" width="1240" height="600"><rect width="1240" height="600" fill="#fff"/>
  <text x="100" y="200" font-size="48" font-family="DejaVu Sans">Invoice 4711 for the quick brown fox</text>
  <text x="100" y="300" font-size="48" font-family="DejaVu Sans">The total amount is 365 dollars</text></svg>`;

/** A job whose file needs a program of another lane: the job moves there, once, without a trace for the client. */
export const scanSuite = (target: () => Target): void => {
  describe("a scanned PDF", () => {
    it("is converted to text where the service recognizes text; otherwise a warning says that there is none", async () => {
      const account = await newAccount(target(), 100);
      const { client } = account;
      const jpeg = await sharp(Buffer.from(PAGE)).withMetadata({ density: 150 }).jpeg().toBuffer();
      const { bytes: scan } = await client.turn({ name: "scan.jpg", bytes: jpeg }, "pdf");
      const { body } = await client.call<{ options?: { properties?: object } }>("/api/v1/formats/pdf/txt");
      const before = await usedBy(target(), account);
      const { job, bytes } = await client.turn({ name: "scan.pdf", bytes: scan }, "txt");
      expect(job.steps).toEqual([{ engine: "pdfium", from: "pdf", to: "txt", duration_ms: expect.any(Number) }]);
      expect((await usedBy(target(), account)) - before).toBe(USED);
      if (Object.hasOwn(body.options?.properties ?? {}, "ocr")) {
        expect(bytes.toString()).toContain("Invoice 4711 for the quick brown fox");
        expect(job.warnings.map(({ code }) => code)).toEqual(["text_recognized"]);
        const off = await client.turn({ name: "scan.pdf", bytes: scan }, "txt", { ocr: "off" });
        expect(off.job.warnings.map(({ code }) => code)).toEqual(["no_text"]);
        const former = await client.turn({ name: "scan.pdf", bytes: scan }, "txt", { ocr: true });
        expect(former.bytes.toString()).toContain("Invoice 4711");
        expect(former.job.options).toEqual({ ocr: "auto" });
      } else {
        expect(job.warnings.map(({ code }) => code)).toEqual(["no_text"]);
      }
    });
  });
};

/** An upload, a conversion and a download. */
const USED = 3;
