import { join } from "node:path";
import type { CDPSession } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "../../support/browser/browser.ts";
import { send, signInToFree } from "../../support/browser/dashboard.ts";
import { writeSilence } from "../../support/silence.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { addPath, choose, press } from "./on-convert.ts";
import { stage } from "./stage.ts";

/** Above 100 MB files are uploaded in parts of 50 MB: here, three parts. */
const LARGE_BYTES = 120_000_000;
/** Slow enough to interrupt the upload of a part. */
const LINE_BYTES_PER_SECOND = 25_000_000;

describe.skipIf(!hasBrowser())("a large file in the browser", () => {
  const at = stage();
  let folder: TemporaryFolder;
  let recording: string;
  beforeAll(async () => {
    folder = temporaryFolder();
    recording = join(folder.path, "silence.wav");
    await writeSilence(recording, LARGE_BYTES);
  });
  afterAll(() => folder.remove());

  test("is uploaded in parts, and resumes with the missing parts after a reload", () =>
    at.visit(
      async (visitor) => {
        const { page, url, context } = visitor;
        await signInToFree(at, visitor);
        const sent: string[] = [];
        context.on("requestfinished", (request) => void (request.method() === "PUT" && sent.push(request.url())));
        page.on("dialog", (dialog) => void dialog.accept());
        const protocol = await context.newCDPSession(page);
        await protocol.send("Network.enable");
        await slow(protocol, LINE_BYTES_PER_SECOND);
        await page.goto(url);
        await addPath(page, recording);
        await choose(page, "silence.wav", "flac");
        await press(page, "Convert 1 file");
        await expect.poll(() => sent.length).toBeGreaterThanOrEqual(1);
        await page.goto(`${url}/docs`);
        const before = sent.map(partOf);
        sent.length = 0;
        await slow(protocol, -1);
        await page.goto(url);
        await addPath(page, recording);
        await choose(page, "silence.wav", "flac");
        await press(page, "Convert 1 file");
        await page.getByRole("button", { name: "Download silence.flac" }).waitFor({ timeout: 120_000 });
        expect(sent.map(partOf).filter((part) => before.includes(part))).toEqual([]);
        expect([...before, ...sent.map(partOf)].sort()).toEqual(["1", "2", "3"]);
        const { body } = await send<{ readonly used: number }>(visitor, "account/use", undefined, "GET");
        expect(body.used).toBe(2);
      },
      { expected: [/^net::ERR_/] },
    ));
});

const slow = (protocol: CDPSession, bytes: number) =>
  protocol.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytes,
  });

/** @returns the part number in a signed URL */
const partOf = (address: string): string => /(?:part|parts\/|partNumber)=?(\d+)/i.exec(address)?.[1] ?? address;
