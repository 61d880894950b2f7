import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../client/index.ts";
import { createQueue, type Queue } from "../../dashboard/pages/convert/queue.ts";
import { resumesIn } from "../../dashboard/pages/convert/resumes.ts";
import { affordable, chooseTarget, fetchResult, type Row } from "../../dashboard/pages/convert/rows.ts";
import { type Bench, fixture, openBench } from "../client/support/service.ts";

/** The page's list of files with a real service; the tests call what the buttons call. */

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const noStorage = { getItem: () => null, setItem: () => undefined };

const newQueue = (apiKey = bench.apiKey): Queue =>
  createQueue(createClient({ apiKey, baseUrl: bench.service.url }), resumesIn(noStorage));

const fileOf = async (path: string, name = basename(path)): Promise<File> => new File([await openAsBlob(path)], name);

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const add = async (queue: Queue, ...files: readonly File[]): Promise<readonly Row[]> => {
  const before = queue.rows.value.length;
  queue.addFiles({ files: files.map((file) => ({ file, folder: "" })) });
  const added = queue.rows.value.slice(before);
  await until(() => added.every(({ isGuessing }) => !isGuessing.value));
  return added;
};

const ended = (queue: Queue): Promise<void> => until(() => queue.summary.value.busy === 0);

const used = async (): Promise<number> => (await bench.client.account()).quota.used;

const only = <Item>(items: readonly Item[]): Item => {
  const [item] = items;
  if (item === undefined) {
    throw new TypeError("The list is empty.");
  }
  return item;
};

describe("the list of files", () => {
  it("shows names without marks that disguise their ending", async () => {
    const [row] = await add(newQueue(), new File(["x"], "invoice\u202efdp.png"));
    expect(row?.name).toBe("invoicefdp.png");
  });

  it("guesses formats from names, and uploads and counts nothing before it is started", async () => {
    const before = await used();
    const queue = newQueue();
    const rows = await add(queue, await fileOf(fixture("sample.zip")), new File(["x"], "what.unheard-of"));
    expect(rows.map(({ format }) => format.value?.format.id)).toEqual(["zip", undefined]);
    // Neither has a likely target.
    queue.start(queue.rows.value);
    queue.addUrl("https://example.org/some%20where/table.csv?x=1");
    expect(queue.rows.value.at(-1)).toMatchObject({ name: "table.csv", bytes: undefined });
    expect(queue.summary.value).toMatchObject({ all: 3, waiting: 3, busy: 0 });
    queue.clear();
    expect([queue.rows.value, await used()]).toEqual([[], before]);
  });

  it("converts each file to its target with its options, and fetches a result once", async () => {
    const before = await used();
    const queue = newQueue();
    const [png, csv] = await add(queue, await fileOf(fixture("sample.png")), await fileOf(fixture("sample.csv")));
    if (png === undefined || csv === undefined) {
      throw new TypeError("Two files were added.");
    }
    chooseTarget(png, "jpg");
    png.options.value = { width: 5 };
    chooseTarget(csv, "json");
    queue.start(queue.rows.value);
    await ended(queue);
    expect(queue.summary.value).toMatchObject({ all: 2, done: 2 });
    expect(png.result.value?.file).toMatchObject({ name: "sample.jpg", job: { options: { width: 5 } } });
    expect(await used()).toBe(before + 4);
    const result = csv.result.value;
    if (result === undefined) {
      throw new TypeError("The row has no result.");
    }
    const blob = await fetchResult(result);
    expect(await fetchResult(result)).toBe(blob);
    expect(JSON.parse(await blob.text())).toBeInstanceOf(Array);
    expect(await used()).toBe(before + 5);
  });

  it("gives a new file the target of the last file with the same format, and the likeliest target otherwise", async () => {
    const queue = newQueue();
    const first = only(await add(queue, await fileOf(fixture("sample.png"))));
    chooseTarget(first, "webp");
    first.options.value = { quality: 50 };
    const more = await add(
      queue,
      await fileOf(fixture("alpha.png")),
      await fileOf(fixture("sample.heic")),
      await fileOf(fixture("sample.zip")),
    );
    expect(more.map(({ target, options }) => [target.value, options.value])).toEqual([
      ["webp", { quality: 50 }],
      ["jpg", {}],
      [undefined, {}],
    ]);
  });

  it("gives new files the target that the user came for, if they can be converted to it", async () => {
    const queue = newQueue();
    queue.wanted.value = "webp";
    const added = await add(queue, await fileOf(fixture("sample.png")), await fileOf(fixture("sample.mp3")));
    expect(added.map(({ target }) => target.value)).toEqual(["webp", "wav"]);
  });

  it("sends only the options that a new target supports, also when it is started at once", async () => {
    const queue = newQueue();
    const row = only(await add(queue, await fileOf(fixture("sample.png"))));
    chooseTarget(row, "jpg");
    row.options.value = { quality: 50, width: 4 };
    chooseTarget(row, "bmp");
    queue.start([row]);
    await ended(queue);
    expect(row.problem.value).toBeUndefined();
    expect(row.result.value?.file.job.options).toEqual({ width: 4 });
  });

  it("keeps several results of one file, which is uploaded once", async () => {
    const queue = newQueue();
    const first = only(await add(queue, await fileOf(fixture("sample.png"))));
    chooseTarget(first, "jpg");
    queue.start([first]);
    await ended(queue);
    const before = await used();
    const second = queue.duplicate(first);
    chooseTarget(second, "webp");
    queue.start(queue.rows.value);
    await ended(queue);
    expect(queue.rows.value.map(({ result }) => result.value?.file.name)).toEqual(["sample.jpg", "sample.webp"]);
    expect(await used()).toBe(before + 1);
  });

  it("merges files in the order of the list", async () => {
    const queue = newQueue();
    const rows = await add(queue, await fileOf(fixture("sample.png")), await fileOf(fixture("alpha.png")));
    const merged = queue.merge(rows, "PDF from 2 files", { target: "pdf", options: {} });
    expect(merged.step.value).toBe("waiting");
    queue.start([merged]);
    await ended(queue);
    expect(merged.result.value?.file).toMatchObject({ mediaType: "application/pdf" });
    expect(rows.map(({ step, upload }) => [step.value, upload.value !== undefined])).toEqual([
      ["waiting", true],
      ["waiting", true],
    ]);
  });
});

describe("remaining requests", () => {
  it("start only as many files as can also be fetched, and at least one", async () => {
    const queue = newQueue();
    const files = await Promise.all(["a.png", "b.png", "c.png"].map((name) => fileOf(fixture("sample.png"), name)));
    const rows = await add(queue, ...files);
    const started = (remaining: number) => affordable(rows, queue.rows.value, remaining).length;
    expect([0, 2, 3, 5, 6, 9].map(started)).toEqual([1, 1, 1, 1, 2, 3]);
    const [first, ...others] = rows;
    if (first === undefined) {
      throw new TypeError("The list is empty.");
    }
    chooseTarget(first, "jpg");
    queue.start([first]);
    await ended(queue);
    const rest = (remaining: number) => affordable(others, queue.rows.value, remaining).length;
    expect([6, 7].map(rest)).toEqual([1, 2]);
    expect(affordable([queue.duplicate(first)], queue.rows.value, 3)).toHaveLength(1);
  });
});

describe("a file whose content does not match its name", () => {
  it("is reported, and can be converted to the targets of its actual format", async () => {
    const queue = newQueue();
    const row = only(await add(queue, await fileOf(fixture("sample.pdf"), "table.csv")));
    chooseTarget(row, "parquet");
    queue.start([row]);
    await ended(queue);
    expect(row.step.value).toBe("failed");
    expect(row.format.value?.format.id).toBe("pdf");
    expect(row.problem.value).toMatchObject({ code: "unsupported_conversion" });
    chooseTarget(row, "txt");
    queue.start([row]);
    await ended(queue);
    expect(row.step.value).toBe("done");
  });

  it("can be uploaded to detect its format, and then waits", async () => {
    const queue = newQueue();
    const row = only(await add(queue, await fileOf(fixture("sample.pdf"), "scan")));
    expect(row.format.value).toBeUndefined();
    queue.detectFormat(row);
    await ended(queue);
    expect([row.step.value, row.format.value?.format.id]).toEqual(["waiting", "pdf"]);
  });
});

describe("an error", () => {
  it("belongs to its file, and to its field if possible, and does not stop the others", async () => {
    const queue = newQueue();
    const [broken, wrong, good] = await add(
      queue,
      new File([(await (await openAsBlob(fixture("sample.png"))).bytes()).slice(0, 60)], "broken.png"),
      await fileOf(fixture("sample.png")),
      await fileOf(fixture("alpha.png")),
    );
    for (const row of queue.rows.value) {
      chooseTarget(row, "jpg");
    }
    if (wrong !== undefined) {
      wrong.options.value = { quality: 1_000 };
    }
    queue.start(queue.rows.value);
    await ended(queue);
    expect([broken, wrong, good].map((row) => row?.step.value)).toEqual(["failed", "failed", "done"]);
    expect(broken?.problem.value).toMatchObject({ code: "source_corrupt" });
    expect(wrong?.problem.value?.errors.map(({ pointer }) => pointer)).toEqual(["/options/quality"]);
  });

  it("that affects all files stops the list once, and all files wait", async () => {
    const queue = newQueue("af_live_wrong");
    const files = await Promise.all(
      ["a.png", "b.png", "c.png", "d.png", "e.png"].map((name) => fileOf(fixture("sample.png"), name)),
    );
    for (const row of await add(queue, ...files)) {
      chooseTarget(row, "jpg");
    }
    queue.start(queue.rows.value);
    await ended(queue);
    expect(queue.halt.value).toMatchObject({ status: 401 });
    expect(queue.summary.value).toMatchObject({ waiting: 5, failed: 0 });
  });

  it("does not occur for rows that are cancelled, while queued or in progress", async () => {
    const queue = newQueue();
    const files = await Promise.all(
      Array.from({ length: 5 }, (_, index) => fileOf(fixture("sample.png"), `${index}.png`)),
    );
    const rows = await add(queue, ...files);
    for (const row of rows) {
      chooseTarget(row, "avif");
    }
    queue.start(rows);
    expect(rows.map(({ step }) => step.value)).toEqual(["uploading", "uploading", "uploading", "queued", "queued"]);
    for (const row of rows) {
      queue.cancel(row);
    }
    await ended(queue);
    expect(new Set(rows.map(({ step }) => step.value))).toEqual(new Set(["cancelled"]));
    queue.start(rows.slice(0, 1));
    await ended(queue);
    expect(rows[0]?.step.value).toBe("done");
  });
});
