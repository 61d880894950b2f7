import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { getConversion } from "../../functions/api/formats/get-conversion.ts";
import { UNCOMPRESSED_BYTES_MAX } from "../../functions/api/formats/list-cache.ts";
import { listFormats } from "../../functions/api/formats/list-formats.ts";
import { acceptsGzip } from "../../functions/api/middleware/accept.ts";
import type { Answer } from "../../functions/api/request.ts";
import { engineIds } from "../../functions/domain/conversions/engines.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import type { ConversionView, FormatListView } from "../../functions/domain/formats/format-views.ts";
import { formats } from "../../functions/domain/formats/formats.ts";
import type { Context } from "../../functions/domain/ports.ts";
import { requestOf } from "../support/world/requests.ts";

const routes = planRoutes(new Set(engineIds));
const world = { routes } as Context;

const list = (query: Record<string, string> = {}, encoding?: string): Promise<Answer> =>
  listFormats.run(world)({ ...requestOf(undefined), query, headers: { "accept-encoding": encoding } });

const bytesOf = ({ bytes = new Uint8Array(), headers }: Answer): Buffer =>
  headers?.["content-encoding"] === "gzip" ? gunzipSync(bytes) : Buffer.from(bytes);
const bodyOf = <Body = FormatListView>(answer: Answer): Body => JSON.parse(bytesOf(answer).toString());
const listOf = async (query: Record<string, string>) => bodyOf(await list(query));

const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);

/** Maximum bytes of a response of Lambda, and of the default list: issue 16. */
const LAMBDA_BYTES_MAX = 6 * 1_048_576;
const DEFAULT_BYTES_MAX = 60_000;

describe("the default list", () => {
  test("has at most 60 kB uncompressed with every engine installed", async () => {
    const answer = await list();
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(answer.bytes?.length).toBeLessThanOrEqual(DEFAULT_BYTES_MAX);
  });

  test("has every pair, and no conversions", async () => {
    const all = await listOf({});
    expect(Object.keys(all)).toEqual(["formats"]);
    const pairs = all.formats.flatMap(({ id, targets }) => targets.map((target) => `${id}>${target}`));
    expect(pairs.toSorted()).toEqual(routes.all.map(({ from, to }) => `${from}>${to}`).toSorted());
    expect(all.formats.find(({ id }) => id === "png")).toEqual({
      id: "png",
      name: "PNG",
      family: "image",
      extensions: ["png"],
      writable: true,
      targets: routes.targets("png"),
    });
  });

  test("marks a format as writable if a format has it as a target", async () => {
    const all = await listOf({ conversions: "false" });
    const targets = new Set(all.formats.flatMap((format) => format.targets));
    expect(idsOf(all.formats.filter(({ writable }) => writable))).toEqual(
      idsOf(all.formats.filter(({ id }) => targets.has(id))),
    );
  });
});

describe("a filter", () => {
  test("restricts the formats and their targets, and keeps what is writable", async () => {
    const source = await listOf({ source: "HEIC" });
    expect(source.formats.find(({ id }) => id === "heic")?.targets).toEqual(routes.targets("heic"));
    const others = source.formats.filter(({ id }) => id !== "heic");
    expect(idsOf(others).toSorted()).toEqual(routes.targets("heic").toSorted());
    expect(others.every(({ targets, writable }) => targets.length === 0 && writable)).toBe(true);
    const pair = await listOf({ source: "image/heic", target: ".jpeg" });
    expect(pair.formats.map(({ id, targets }) => [id, targets])).toEqual([
      ["jpg", []],
      ["heic", ["jpg"]],
    ]);
  });

  test("by engine lists the formats that depend on it", async () => {
    const { formats: found } = await listOf({ engine: "soffice" });
    expect(idsOf(found)).toEqual(expect.arrayContaining(["doc", "docx", "pdf"]));
    expect(idsOf(found)).not.toContain("mp3");
  });

  test.each([
    [{ sourc: "png" }, 'Unknown query parameter "sourc". Did you mean "source"?', "/sourc"],
    [{ utm_campaign: "x" }, 'Unknown query parameter "utm_campaign".', "/utm_campaign"],
    [{ source: "jpge" }, /^`source` must be the ID.* Did you mean "jpg"\?$/, "/source"],
    [{ family: "images" }, /^`family` must be one of `.*Did you mean "image"\?$/, "/family"],
    [{ engine: "sofice" }, /Did you mean "soffice"\?$/, "/engine"],
    [{ conversions: "no" }, "`conversions` must be `true` or `false`.", "/conversions"],
  ])("%o that is unknown is rejected with the nearest name", async (query, detail, pointer) => {
    const found = await list(query as Record<string, string>).catch((error: unknown) => error);
    expect(found).toMatchObject({
      code: "invalid_request",
      message: typeof detail === "string" ? detail : expect.stringMatching(detail),
      extra: { errors: [{ pointer, code: "unknown" }] },
    });
  });
});

describe("the detailed list", () => {
  test("has every conversion with its options, and the details of the formats", async () => {
    const all = await listOf({ conversions: "true" });
    expect(all.conversions).toHaveLength(routes.all.length);
    expect(all.conversions?.every(({ options }) => options.type === "object")).toBe(true);
    expect(all.formats.every((each) => each.media_types && each.engines && each.readable !== undefined)).toBe(true);
  });

  test.each([undefined, "gzip", "br, gzip;q=0.1", "*", "identity;q=0, *;q=0.5"])(
    "of everything is compressed with Accept-Encoding %s, and fits a response of Lambda in base64",
    async (encoding) => {
      const { headers, bytes = new Uint8Array() } = await list({ conversions: "true" }, encoding);
      expect(headers?.["content-encoding"]).toBe("gzip");
      expect((bytes.length * 4) / 3).toBeLessThan(LAMBDA_BYTES_MAX / 10);
    },
  );

  test.each(["identity", "", "gzip;q=0", "br", "gzip;q=0, *", "*;q=0"])(
    "of everything is not acceptable with Accept-Encoding %o",
    async (encoding) => {
      await expect(list({ conversions: "true" }, encoding)).rejects.toMatchObject({ code: "not_acceptable" });
      expect((await list({}, encoding)).headers).not.toHaveProperty("content-encoding");
    },
  );

  test("of any single format is available uncompressed", async () => {
    for (const { id } of formats) {
      for (const query of [{ source: id }, { target: id }]) {
        const { headers, bytes } = await list({ ...query, conversions: "true" }, "identity");
        expect(headers).not.toHaveProperty("content-encoding");
        expect(bytes?.length).toBeLessThanOrEqual(UNCOMPRESSED_BYTES_MAX);
      }
    }
  });

  test("is created once, no matter how many other lists are requested", async () => {
    const first = await list({ conversions: "true" });
    const filtered = await list({ source: "png", target: "pdf", conversions: "true" }, "gzip");
    for (const { from, to } of routes.all) {
      await list({ source: from, target: to, conversions: "true" }, "gzip");
    }
    expect((await list({ conversions: "true" })).bytes).toBe(first.bytes);
    // The others are cached up to a limit, so the first of them was removed.
    const again = await list({ source: "png", target: "pdf", conversions: "true" }, "gzip");
    expect(again.bytes).not.toBe(filtered.bytes);
    expect(again.bytes).toEqual(filtered.bytes);
    expect((await list({ source: "png", target: "pdf", conversions: "true" }, "gzip")).bytes).toBe(again.bytes);
  });
});

describe("one conversion", () => {
  const get = (source: string, target: string, headers = {}): Promise<Answer> =>
    getConversion.run(world)({ ...requestOf(undefined), params: { source, target }, headers });

  test.each([
    ["heic", "jpg"],
    [".HEIC", "JPEG"],
    ["image/heic", "image/jpeg"],
  ])("of %s to %s is the same as in the detailed list", async (source, target) => {
    const { conversions } = await listOf({ source: "heic", target: "jpg", conversions: "true" });
    const answer = await get(source, target);
    expect(bodyOf<ConversionView>(answer)).toEqual(conversions?.[0]);
    const { etag = "" } = answer.headers ?? {};
    expect(await get(source, target, { "if-none-match": etag })).toMatchObject({ status: 304 });
  });

  test("from an unknown format is not found, with the nearest name", async () => {
    await expect(get("hiec", "jpg")).rejects.toMatchObject({
      code: "not_found",
      message: 'Unknown format "hiec". Did you mean "heic"?',
    });
  });

  test.each([
    ["mp3", "pdf", /^mp3 files cannot be converted to pdf\. Supported targets: /],
    ["png", "jpge", /^Unknown format "jpge"\. Did you mean "jpg"\? Supported targets: /],
  ] as const)("from %s to %s is unsupported, with what is supported", async (source, target, message) => {
    await expect(get(source, target)).rejects.toMatchObject({
      code: "unsupported_conversion",
      message: expect.stringMatching(message),
      extra: { supported_targets: routes.targets(source) },
    });
  });
});

describe("one merge", () => {
  const get = (source: string, target: string, merge_with: string): Promise<Answer> =>
    getConversion.run(world)({ ...requestOf(undefined), params: { source, target }, query: { merge_with } });
  const optionsOf = async (source: string, target: string, further: string) =>
    Object.keys(bodyOf<ConversionView>(await get(source, target, further)).options.properties ?? {});

  test("has its own options, which the conversion of one file does not have", async () => {
    const single = Object.keys(bodyOf<ConversionView>(await get("png", "gif", "")).options.properties ?? {});
    expect(single).not.toContain("delay");
    expect(await optionsOf("png", "gif", "jpeg,.PNG")).toContain("delay");
    expect(await optionsOf("png", "jpg", "png")).toEqual(expect.arrayContaining(["columns", "width"]));
    expect(await optionsOf("docx", "pdf", "jpg, pdf")).toEqual(expect.arrayContaining(["page_size", "user_password"]));
  });

  test.each([
    [["png", "jpg"], "pdf"],
    [["png", "jpg"], "jpg"],
    [["docx", "jpg", "pdf"], "pdf"],
    [["mp4", "mov"], "mp4"],
    [["csv", "csv"], "csv"],
    [["mp3", "docx"], "zip"],
  ] as const)("of %j to %s accepts each option that is listed", (formatIds, target) => {
    const { options = [] } = routes.mergeOptionsOf(formatIds, target) ?? {};
    expect(options.length).toBeGreaterThan(0);
    for (const name of options) {
      expect(routes.merge(formatIds, target, [name])?.options).toContain(name);
    }
  });

  test.each([
    ["png", "gif", "mp3", "unsupported_conversion"],
    ["png", "gif", "nonsense", "not_found"],
    ["png", "gif", "png,".repeat(100), "invalid_request"],
  ])("of %s to %s with %.8s is refused: %s", async (source, target, further, code) => {
    await expect(get(source, target, further)).rejects.toMatchObject({ code });
  });
});

test("a client that sends no Accept-Encoding has no preference", () => {
  expect(acceptsGzip(undefined)).toBeUndefined();
  expect(acceptsGzip("x-gzip")).toBe(true);
});
