import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../client/index.ts";
import { makeQueue, type Queue } from "../../dashboard/pages/convert/queue.ts";
import { resumesIn } from "../../dashboard/pages/convert/resumes.ts";
import { affordable, chooseTarget, fetchResult, type Row } from "../../dashboard/pages/convert/rows.ts";
import { type Bench, fixture, openBench } from "../client/support/service.ts";

/** The list of files of the page, before a real service; what a person presses is called. */

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const noStorage = { getItem: () => null, setItem: () => undefined };

const newQueue = (apiKey = bench.apiKey): Queue =>
  makeQueue(createClient({ apiKey, baseUrl: bench.service.url }), resumesIn(noStorage));

const fileOf = async (path: string, name = basename(path)): Promise<File> => new File([await openAsBlob(path)], name);

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const add = async (queue: Queue, ...files: readonly File[]): Promise<readonly Row[]> => {
  const before = queue.rows.value.length;
  queue.addFiles({ files: files.map((file) => ({ file, folder: "" })) });
  const added = queue.rows.value.slice(before);
  await until(() => added.every(({ isLooking }) => !isLooking.value));
  return added;
};

const ended = (queue: Queue): Promise<void> => until(() => queue.summary.value.busy === 0);

const used = async (): Promise<number> => (await bench.client.account()).quota.used;

const only = <Item>(items: readonly Item[]): Item => {
  const [item] = items;
  if (item === undefined) {
    throw new TypeError("There is none.");
  }
  return item;
};

describe("the list of files", () => {
  it("tells formats by names, and sends and counts nothing before it is started", async () => {
    const before = await used();
    const queue = newQueue();
    const rows = await add(queue, await fileOf(fixture("sample.png")), new File(["x"], "what.unheard-of"));
    expect(rows.map(({ format }) => format.value?.format.id)).toEqual(["png", undefined]);
    queue.addUrl("https://example.org/some%20where/table.csv?x=1");
    expect(queue.rows.value.at(-1)).toMatchObject({ name: "table.csv", bytes: undefined });
    queue.start(queue.rows.value);
    expect(queue.summary.value).toMatchObject({ all: 3, waiting: 3, busy: 0 });
    queue.clear();
    expect([queue.rows.value, await used()]).toEqual([[], before]);
  });

  it("converts each file to what was chosen, with its options, and a result is fetched once", async () => {
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
      throw new TypeError("It has no result.");
    }
    const blob = await fetchResult(result);
    expect(await fetchResult(result)).toBe(blob);
    expect(JSON.parse(await blob.text())).toBeInstanceOf(Array);
    expect(await used()).toBe(before + 5);
  });

  it("gives a further file of a format the target of the one before, and one of another none", async () => {
    const queue = newQueue();
    const first = only(await add(queue, await fileOf(fixture("sample.png"))));
    chooseTarget(first, "webp");
    first.options.value = { quality: 50 };
    const more = await add(queue, await fileOf(fixture("alpha.png")), await fileOf(fixture("sample.csv")));
    expect(more.map(({ target, options }) => [target.value, options.value])).toEqual([
      ["webp", { quality: 50 }],
      [undefined, {}],
    ]);
  });

  it("keeps a result beside another of the same file, which is not sent again", async () => {
    const queue = newQueue();
    const first = only(await add(queue, await fileOf(fixture("sample.png"))));
    chooseTarget(first, "jpg");
    queue.start([first]);
    await ended(queue);
    const before = await used();
    const second = queue.again(first);
    chooseTarget(second, "webp");
    queue.start(queue.rows.value);
    await ended(queue);
    expect(queue.rows.value.map(({ result }) => result.value?.file.name)).toEqual(["sample.jpg", "sample.webp"]);
    expect(await used()).toBe(before + 1);
  });

  it("makes one file of several, in the order of the list", async () => {
    const queue = newQueue();
    const rows = await add(queue, await fileOf(fixture("sample.png")), await fileOf(fixture("alpha.png")));
    const joined = queue.merge(rows, "PDF of 2 files", { target: "pdf", options: {} });
    expect(joined.step.value).toBe("waiting");
    queue.start([joined]);
    await ended(queue);
    expect(joined.result.value?.file).toMatchObject({ mediaType: "application/pdf" });
    expect(rows.map(({ step, upload }) => [step.value, upload.value !== undefined])).toEqual([
      ["waiting", true],
      ["waiting", true],
    ]);
  });
});

describe("requests that are left", () => {
  it("do for no more files than those whose results can be fetched as well, and for one at least", async () => {
    const queue = newQueue();
    const files = await Promise.all(["a.png", "b.png", "c.png"].map((name) => fileOf(fixture("sample.png"), name)));
    const rows = await add(queue, ...files);
    const started = (remaining: number) => affordable(rows, queue.rows.value, remaining).length;
    expect([0, 2, 3, 5, 6, 9].map(started)).toEqual([1, 1, 1, 1, 2, 3]);
    const [first, ...others] = rows;
    if (first === undefined) {
      throw new TypeError("There is none.");
    }
    chooseTarget(first, "jpg");
    queue.start([first]);
    await ended(queue);
    const rest = (remaining: number) => affordable(others, queue.rows.value, remaining).length;
    expect([6, 7].map(rest)).toEqual([1, 2]);
    expect(affordable([queue.again(first)], queue.rows.value, 3)).toHaveLength(1);
  });
});

describe("a file that is not what its name says", () => {
  it("is told, and can become what its bytes can", async () => {
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

  it("is looked into where the name says nothing, and then waits", async () => {
    const queue = newQueue();
    const row = only(await add(queue, await fileOf(fixture("sample.pdf"), "scan")));
    expect(row.format.value).toBeUndefined();
    queue.look(row);
    await ended(queue);
    expect([row.step.value, row.format.value?.format.id]).toEqual(["waiting", "pdf"]);
  });
});

describe("what goes wrong", () => {
  it("stands at its file, by the field where it can, and the others are converted", async () => {
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

  it("for all alike stops the list once, and everything waits", async () => {
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

  it("is never a row that was cancelled, before its turn or in it", async () => {
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
