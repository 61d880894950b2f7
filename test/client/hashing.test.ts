import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { hashOf } from "../../client/calls/hashing.ts";
import { clientOn } from "../../client/client.ts";
import { openWebInput } from "../../client/transfer/input.ts";
import { sha256 } from "../../client/transfer/sha256.ts";
import { type Bench, openBench } from "./support/service.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());
afterEach(() => {
  vi.restoreAllMocks();
});

const table = { name: "five.csv", content: Buffer.alloc(5_000_000, "1,text\n") };

describe("the hash of a large file", () => {
  const clientWith = (log: string[], digest: (hash: string) => string = (hash) => hash) =>
    clientOn(
      {
        open: openWebInput,
        result: (file) => file,
        hasher: () => {
          const hash = sha256();
          return {
            update: hash.update,
            digest: () => {
              log.push("hash");
              return digest(hash.digest());
            },
          };
        },
      },
      {
        apiKey: bench.apiKey,
        baseUrl: bench.service.url,
        fetch: (input, init) => {
          log.push(init?.method ?? "GET");
          return fetch(input, init);
        },
      },
    );

  it("is known after the first byte is sent, and compared with that of the received bytes", async () => {
    const log: string[] = [];
    const upload = await clientWith(log).upload(table);
    expect(log.filter((entry) => entry !== "POST")).toEqual(["PUT", "hash"]);
    expect(upload.sha256).toBe(await hashOf(sha256(), new Blob([table.content]), new AbortController().signal));
  });

  it("rejects and deletes an upload whose bytes differ", async () => {
    const log: string[] = [];
    const client = clientWith(log, (hash) => hash.replace(/^./, "x"));
    await expect(client.upload(table)).rejects.toMatchObject({ code: "checksum_mismatch", retryable: true });
    expect(log.at(-1)).toBe("DELETE");
  });

  it("lets other tasks run after each slice that takes long", async () => {
    let time = 0;
    vi.spyOn(Date, "now").mockImplementation(() => {
      time += 25;
      return time;
    });
    let turns = 0;
    let ended = false;
    const turn = () => {
      turns += 1;
      if (!ended) {
        setImmediate(turn);
      }
    };
    const sizes: number[] = [];
    const hasher = { update: (bytes: Uint8Array) => void sizes.push(bytes.length), digest: () => "" };
    setImmediate(turn);
    await hashOf(hasher, new Blob([new Uint8Array(5_000_000)]), new AbortController().signal);
    ended = true;
    expect(Math.max(...sizes)).toBe(500_000);
    expect(turns).toBeGreaterThanOrEqual(sizes.length);
  });

  it("ends with the reason of an aborted signal", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(hashOf(sha256(), new Blob(["a"]), signal)).rejects.toThrow("enough");
  });
});
