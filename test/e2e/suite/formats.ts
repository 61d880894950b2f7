import { describe, expect, it } from "vitest";
import type { ConversionView, FormatListView } from "../../../functions/domain/formats/format-views.ts";
import type { Problem } from "../../support/services/client.ts";
import { sendRaw } from "../../support/services/raw-request.ts";
import type { Target } from "./target.ts";

/** The list of formats and the details of a conversion, both without a key. */
export const formatSuite = (target: () => Target): void => {
  const open = () => target().client.withKey(undefined);

  describe("the list of formats", () => {
    it("has every format with its targets in at most 60 kB, without conversions", async () => {
      const reply = await sendRaw(open().url, { method: "GET", path: "/api/v1/formats", headers: [] });
      expect([reply.status, reply.headers.get("content-encoding")]).toEqual([200, null]);
      expect(reply.headers.get("cache-control")).toBe("public, max-age=300");
      expect(Number(reply.headers.get("content-length"))).toBeLessThanOrEqual(60_000);
      const { formats, conversions } = reply.body as FormatListView;
      expect(conversions).toBeUndefined();
      const pairs = formats.flatMap(({ id, targets }) => targets.map((each) => `${id}>${each}`));
      expect(pairs).toEqual(expect.arrayContaining(["heic>jpg", "jpg>webp", "svg>png", "png>avif"]));
      const alone = await open().call<FormatListView>("/api/v1/formats?conversions=false");
      expect(alone.body).toEqual(reply.body);
    });

    it("has an options schema for each pair on request, always compressed", async () => {
      const path = "/api/v1/formats?conversions=true";
      const raw = (encoding?: string) =>
        sendRaw(open().url, { method: "GET", path, headers: encoding ? [["accept-encoding", encoding]] : [] });
      const unasked = await raw();
      expect([unasked.status, unasked.headers.get("content-encoding")]).toEqual([200, "gzip"]);
      expect(Number(unasked.headers.get("content-length"))).toBeLessThan(500_000);
      const refused = await raw("identity");
      expect([refused.status, refused.body]).toEqual([406, expect.objectContaining({ code: "not_acceptable" })]);
      const all = await open().call<FormatListView>(path);
      const webp = all.body.conversions?.find((each) => each.source === "jpg" && each.target === "webp");
      expect(webp?.options).toMatchObject({
        type: "object",
        additionalProperties: false,
        properties: { quality: { maximum: 100 } },
      });
      expect(all.headers.get("etag")).toBe(unasked.headers.get("etag"));
      const headers = { "if-none-match": all.headers.get("etag") ?? "" };
      expect((await open().call(path, { headers })).status).toBe(304);
    });

    it("can be filtered, and rejects unknown parameters and values", async () => {
      const filter = "source=HEIC&target=image/jpeg";
      const { body: heic } = await open().call<FormatListView>(`/api/v1/formats?${filter}`);
      expect(heic.formats.flatMap(({ id, targets }) => targets.map((each) => [id, each]))).toEqual([["heic", "jpg"]]);
      const { body: detailed } = await open().call<FormatListView>(`/api/v1/formats?${filter}&conversions=true`);
      expect(detailed.conversions?.map((each) => [each.source, each.target])).toEqual([["heic", "jpg"]]);
      for (const query of ["source=nonsense", "conversions=no", "family=nonsense", "engine=nonsense", "sourc=png"]) {
        const { status, body } = await open().call<Problem>(`/api/v1/formats?${query}`);
        expect([query, status, body.code]).toEqual([query, 400, "invalid_request"]);
      }
    });

    it("is compressed for clients that accept it, with a separate ETag", async () => {
      const list = (encoding: string) =>
        open().call<FormatListView>("/api/v1/formats?source=png", { headers: { "accept-encoding": encoding } });
      const [plain, packed] = [await list("identity"), await list("br, gzip")];
      expect(packed.headers.get("content-encoding")).toBe("gzip");
      expect(plain.headers.get("content-encoding")).toBeNull();
      expect(plain.headers.get("vary")).toBe("accept-encoding");
      expect(packed.body).toEqual(plain.body);
      expect(packed.headers.get("etag")).not.toBe(plain.headers.get("etag"));
    });
  });

  describe("the details of a conversion", () => {
    it("accept IDs, extensions and media types, and have an ETag", async () => {
      const pair = await open().call<ConversionView>("/api/v1/formats/heic/jpg");
      expect(pair.status).toBe(200);
      expect(pair.body).toMatchObject({
        source: "heic",
        target: "jpg",
        fidelity: "lossy",
        options: { type: "object" },
      });
      for (const path of ["/api/v1/formats/HEIC/jpeg", "/api/v1/formats/image%2Fheic/image%2Fjpeg"]) {
        expect((await open().call(path)).body).toEqual(pair.body);
      }
      const headers = { "if-none-match": pair.headers.get("etag") ?? "" };
      expect((await open().call("/api/v1/formats/heic/jpg", { headers })).status).toBe(304);
    });

    it("of an unknown or impossible pair are a problem that says what is possible", async () => {
      const unknown = await open().call<Problem>("/api/v1/formats/hiec/jpg");
      expect([unknown.status, unknown.body.code, unknown.body.detail]).toEqual([
        404,
        "not_found",
        'Unknown format "hiec". Did you mean "heic"?',
      ]);
      const impossible = await open().call<Problem>("/api/v1/formats/png/mp3");
      expect([impossible.status, impossible.body.code]).toEqual([422, "unsupported_conversion"]);
      expect(impossible.body.supported_targets).toEqual(expect.arrayContaining(["jpg", "pdf"]));
    });
  });
};
