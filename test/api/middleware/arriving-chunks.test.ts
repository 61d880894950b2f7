import { PassThrough, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { arrivingChunks } from "../../../functions/api/middleware/arriving-chunks.ts";

const read = async (stream: Readable): Promise<string[]> => {
  const chunks: string[] = [];
  for await (const chunk of arrivingChunks(stream)) {
    chunks.push(chunk.toString());
  }
  return chunks;
};

describe("chunks of a stream as they arrive", () => {
  it("are not joined, whether they wait or are sent later", async () => {
    const stream = new PassThrough();
    stream.write("a");
    stream.write("b");
    const reading = read(stream);
    await setImmediate();
    stream.write("c");
    stream.end("d");
    expect(await reading).toEqual(["a", "b", "c", "d"]);
    expect(stream.listenerCount("data")).toBe(0);
  });

  it("end at once if the stream has ended", async () => {
    const stream = Readable.from([]);
    stream.resume();
    await setImmediate();
    expect(stream.readableEnded).toBe(true);
    expect(await read(stream)).toEqual([]);
  });

  it("are not read ahead without limit while they are processed", async () => {
    let sent = 0;
    const stream = new Readable({
      read() {
        sent += 1;
        this.push(sent > 1_000 ? null : Buffer.alloc(65_536));
      },
    });
    let [received, ahead] = [0, 0];
    for await (const _ of arrivingChunks(stream)) {
      await setImmediate();
      received += 1;
      ahead = Math.max(ahead, sent - received);
    }
    expect(received).toBe(1_000);
    expect(ahead).toBeLessThan(10);
  });

  it("leave the rest to others, and the stream open, when the reader stops", async () => {
    const stream = new PassThrough();
    stream.write("a");
    for await (const _ of arrivingChunks(stream)) {
      break;
    }
    expect(stream.destroyed).toBe(false);
    stream.end("b");
    await setImmediate();
    expect(await read(stream)).toEqual(["b"]);
  });

  it.each([
    ["fails", new Error("Broken.")],
    ["is closed before its end", undefined],
  ])("end with an error if the stream %s", async (_, error) => {
    const stream = new PassThrough();
    stream.write("a");
    const reading = read(stream);
    await setImmediate();
    stream.destroy(error);
    await expect(reading).rejects.toThrow(error?.message ?? "Premature close");
  });
});
