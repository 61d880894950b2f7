import { once } from "node:events";
import { createReadStream, openAsBlob } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { AnyformError, ConversionError, createClient, type Input, type Progress } from "../../client/node.ts";
import { type Bench, fixture, openBench } from "./support/service.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench({ ANYFORM_ALLOW_ADDRESSES: "127.0.0.1" });
});
afterAll(() => bench.close());

const failure = async (promise: Promise<unknown>): Promise<AnyformError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AnyformError)) {
    throw new TypeError(`Expected an AnyformError, got ${String(error)}`);
  }
  return error;
};

describe("every kind of input", () => {
  const picture = fixture("sample.png");
  it.each<[string, () => Promise<Input> | Input, string]>([
    ["a path", () => picture, "sample.jpg"],
    ["a file: URL", () => new URL(`file://${picture}`), "sample.jpg"],
    ["a Blob", () => openAsBlob(picture), "file.jpg"],
    ["a File", async () => new File([await readFile(picture)], "shot.png"), "shot.jpg"],
    ["bytes", () => readFile(picture), "file.jpg"],
    ["named bytes", async () => ({ name: "a.png", content: await readFile(picture) }), "a.jpg"],
    ["a Node stream", () => ({ name: "b.png", content: createReadStream(picture) }), "b.jpg"],
    ["a web stream", async () => (await openAsBlob(picture)).stream(), "file.jpg"],
  ])("%s is converted", async (_, input, name) => {
    const file = await bench.client.convert(await input(), "jpg");
    expect(file).toMatchObject({ name, mediaType: "image/jpeg", warnings: [], job: { status: "completed" } });
    const bytes = await file.bytes();
    expect(bytes).toHaveLength(file.size);
    expect((await sharp(bytes).metadata()).format).toBe("jpeg");
  });

  it("a URL is downloaded by the service", async () => {
    const server = createServer((_, response) => createReadStream(picture).pipe(response)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : "";
    const file = await bench.client.convert(`http://127.0.0.1:${port}/far.png`, "webp");
    expect(file.name).toBe("far.webp");
    server.close();
  });

  it("a file that is already uploaded is not sent again, alone or in a merge", async () => {
    const { upload_id: uploadId } = await bench.client.upload(picture);
    const { used } = (await bench.client.account()).quota;
    expect((await bench.client.convert({ uploadId }, "jpg")).name).toBe("sample.jpg");
    expect((await bench.client.merge([{ uploadId }, { uploadId }], "pdf")).mediaType).toBe("application/pdf");
    expect((await bench.client.account()).quota.used).toBe(used + 2);
    expect(await failure(bench.client.convert({ uploadId: "upl_none" }, "jpg"))).toMatchObject({ code: "not_found" });
  });

  it("a stream leaves no files on this machine", async () => {
    vi.stubEnv("TMPDIR", bench.folder);
    await bench.client.convert(createReadStream(picture), "jpg");
    vi.unstubAllEnvs();
    expect(await readdir(bench.folder)).toEqual([]);
  });

  it("an invalid input is rejected before anything is sent", async () => {
    const { used } = (await bench.client.account()).quota;
    expect(await failure(bench.client.convert("/no/such.png", "jpg"))).toMatchObject({ code: "invalid_input" });
    expect(await failure(bench.client.convert(bench.folder, "jpg"))).toMatchObject({ code: "invalid_input" });
    expect((await bench.client.account()).quota.used).toBe(used);
  });
});

describe("a result", () => {
  it("is a Blob with its media type, a stream, or a file that is written atomically", async () => {
    const file = await bench.client.convert(fixture("sample.csv"), "xlsx");
    const bytes = Buffer.from(await file.bytes());
    const blob = await file.blob();
    expect([blob.type, Buffer.from(await blob.arrayBuffer()).equals(bytes)]).toEqual([file.mediaType, true]);
    expect((await buffer(file.stream())).equals(bytes)).toBe(true);
    const path = join(bench.folder, "table.xlsx");
    expect(await file.save(path)).toBe(path);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect(await failure(file.save(path))).toMatchObject({ code: "output_exists" });
    await file.save(path, { overwrite: true });
    expect(await readdir(bench.folder)).toEqual(["table.xlsx"]);
  });

  it("is part of the conversion, which counts once, however often it is read", async () => {
    const { used } = (await bench.client.account()).quota;
    const file = await bench.client.convert(fixture("sample.png"), "jpg");
    const [bytes, blob] = await Promise.all([file.bytes(), file.blob()]);
    expect([bytes.length, blob.size, (await file.bytes()).length]).toEqual([file.size, file.size, file.size]);
    expect((await bench.client.account()).quota.used).toBe(used + 1);
  });

  it("that did not arrive with the conversion counts once while its URL is valid", async () => {
    const file = await bench.client.wait((await bench.client.convert(fixture("sample.png"), "jpg")).job.id);
    const { used } = (await bench.client.account()).quota;
    await Promise.all([file.bytes(), file.blob()]);
    await file.bytes();
    expect((await bench.client.account()).quota.used).toBe(used + 1);
  });
});

describe("options", () => {
  it("reach the conversion, and progress runs from the first byte sent to the last one received", async () => {
    const seen: Progress[] = [];
    const file = await bench.client.convert(fixture("sample.png"), "jpg", {
      options: { width: 5 },
      filename: "small.jpg",
      metadata: { order: "7" },
      onProgress: (progress) => seen.push(progress),
    });
    expect((await sharp(await file.bytes()).metadata()).width).toBe(5);
    expect(file).toMatchObject({ name: "small.jpg", job: { metadata: { order: "7" } } });
    expect([...new Set(seen.map(({ phase }) => phase))]).toEqual(["upload", "convert", "download"]);
    for (const phase of ["upload", "convert", "download"]) {
      const percents = seen.filter((each) => each.phase === phase).map(({ percent }) => percent);
      expect(percents.at(-1)).toBe(100);
      expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    }
  });

  it("several inputs become one file or one each, and a failed input does not affect the others", async () => {
    const { client } = bench;
    const album = await client.merge([fixture("sample.png"), fixture("alpha.png")], "pdf");
    expect(
      Buffer.from(await album.bytes())
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
    const inputs = [fixture("sample.png"), "/no/such.png", fixture("alpha.png")];
    const outcomes = await client.convertMany(inputs, "webp", { concurrency: 2 });
    expect(outcomes.map(({ input, file, error }) => [input, file?.name ?? error?.code])).toEqual([
      [inputs[0], "sample.webp"],
      [inputs[1], "invalid_input"],
      [inputs[2], "alpha.webp"],
    ]);
  });
});

describe("formats", () => {
  it("are listed with their targets; conversions are read one by one, or with a filter", async () => {
    const list = await bench.client.formats({ source: "png" });
    expect(list.formats.find(({ id }) => id === "png")?.targets).toContain("jpg");
    expect(list.conversions).toBeUndefined();
    const conversion = await bench.client.conversion("image/png", ".JPG");
    expect(conversion).toMatchObject({ source: "png", target: "jpg", options: { type: "object" } });
    const detailed = await bench.client.formats({ source: "png", target: "jpg", conversions: true });
    expect(detailed.conversions).toEqual([conversion]);
  });
});

describe("an error", () => {
  it("has the service's code, detail, status and request id", async () => {
    const error = await failure(bench.client.convert(fixture("sample.png"), "mp3"));
    expect(error).toMatchObject({ code: "unsupported_conversion", status: 422, retryable: false });
    expect(error.supportedTargets).toContain("jpg");
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    const options = { options: { quality: 1_000 } };
    const { errors } = await failure(bench.client.convert(fixture("sample.png"), "jpg", options));
    expect(errors.map(({ pointer }) => pointer)).toEqual(["/options/quality"]);
  });

  it("is a ConversionError with the job if the conversion failed", async () => {
    const original = await readFile(fixture("sample.pdf"));
    const broken = Buffer.concat([original.subarray(0, 12), Buffer.alloc(500, "x")]);
    const error = await failure(bench.client.convert({ name: "a.pdf", content: broken }, "txt"));
    expect(error).toBeInstanceOf(ConversionError);
    expect(error).toMatchObject({ code: "source_corrupt", job: { status: "failed" } });
  });

  it("for a rejected key is thrown immediately, without a retry", async () => {
    const client = createClient({ apiKey: "af_live_wrong", baseUrl: bench.service.url });
    const sent: string[] = [];
    const counted = createClient({
      apiKey: "af_live_wrong",
      baseUrl: bench.service.url,
      fetch: (...call) => {
        sent.push(String(call[0]));
        return fetch(...call);
      },
    });
    expect(await failure(client.account())).toMatchObject({ code: "invalid_api_key", status: 401 });
    expect(await failure(counted.account())).toMatchObject({ status: 401 });
    expect(sent).toHaveLength(1);
  });

  it("for an unreachable service is thrown after a few attempts", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : "";
    await new Promise((resolve) => server.close(resolve));
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, attempts: 2 });
    expect(await failure(client.formats())).toMatchObject({ code: "not_reachable", retryable: true });
  });
});

describe("an aborted signal", () => {
  it("cancels the running job and rejects with its reason", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
    const size = { width: 4_000, height: 4_000, channels: 3, background: "white", noise } as const;
    const picture = await sharp({ create: size }).jpeg().toBuffer();
    const controller = new AbortController();
    const conversion = bench.client.convert({ name: "slow.jpg", content: picture }, "avif", {
      options: { lossless: true },
      signal: controller.signal,
      onProgress: ({ phase }) => {
        if (phase === "convert") {
          controller.abort(new Error("enough"));
        }
      },
    });
    await expect(conversion).rejects.toThrow("enough");
    const { jobs } = await bench.client.jobs({ limit: 1 });
    expect(jobs[0]).toMatchObject({ target_format: "avif", status: "cancelled" });
  });

  it("that is already aborted rejects before anything is sent", async () => {
    const { used } = (await bench.client.account()).quota;
    const signal = AbortSignal.abort(new Error("never"));
    await expect(bench.client.convert(fixture("sample.png"), "jpg", { signal })).rejects.toThrow("never");
    expect((await bench.client.account()).quota.used).toBe(used);
  });
});
