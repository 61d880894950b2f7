import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import { detectFormat } from "../../functions/domain/formats/detect.ts";
import { extensionOf, type FormatId, formatNamed } from "../../functions/domain/formats/formats.ts";
import { DETECTION_BYTES } from "../../functions/domain/limits.ts";
import { installedEngines } from "../../local/engines/installed.ts";
import { sampleFor } from "../engines/support/fixtures.ts";
import { type ApiClient, apiClient } from "../support/services/client.ts";
import {
  accountsCommand,
  type LocalService,
  type NewAccount,
  startLocalService,
} from "../support/services/local-service.ts";

/**
 * The most popular pairs, each from its sample: uploaded, converted and downloaded by a client. The contract suites in
 * `test/engines/contract` check the content of the results.
 */

/** Popular names of formats; `jfif` is another name of JPEG. */
const ASKED =
  `jpg-pdf heic-jpg pdf-docx docx-pdf mp4-mp3 webp-png webp-jpg png-jpg jpg-png pdf-jpg png-pdf mov-mp4 pdf-png
  png-webp jpg-webp xlsx-pdf pptx-pdf xlsx-csv csv-xlsx heic-pdf heic-png svg-png pdf-txt pdf-xlsx mp4-gif gif-mp4 m4a-mp3
  wav-mp3 mkv-mp4 avi-mp4 webm-mp4 epub-pdf html-pdf md-pdf md-html png-ico png-svg avif-jpg avif-png jfif-jpg tiff-pdf
  tiff-jpg doc-docx doc-pdf pdf-pptx csv-json json-csv xlsx-json xls-xlsx pdf-epub epub-mobi mobi-epub mp3-wav ogg-mp3
  flac-mp3 docx-md docx-txt png-avif svg-pdf rar-zip 7z-zip eml-pdf msg-pdf
  psd-png cr2-jpg nef-jpg dng-jpg bmp-png odt-docx rtf-docx txt-pdf pptx-jpg xml-json yaml-json json-yaml srt-vtt ttf-woff2
  ico-png html-docx pdf-html pdf-md ods-xlsx wmv-mp4 aac-mp3 jxl-jpg epub-txt epub-azw3`.split(/\s+/);

const routes = planRoutes(new Set(installedEngines().keys()));

/** The pairs of engines that are not installed are missing; in CI all are available. */
const listed = ASKED.filter((pair) => {
  const { from, to } = formatsOf(pair);
  return from === to || routes.find(from, to) !== undefined || process.env.ANYFORM_REQUIRE_ALL !== undefined;
});

function formatsOf(pair: string): { from: FormatId; to: FormatId; extension: string } {
  const [extension = "", target = ""] = pair.split("-");
  const [from, to] = [formatNamed(extension), formatNamed(target)];
  if (from === undefined || to === undefined) {
    throw new Error(`No format is named ${pair}.`);
  }
  return { from, to, extension };
}

describe("the most popular pairs", () => {
  let service: LocalService;
  let client: ApiClient;

  beforeAll(async () => {
    service = await startLocalService();
    const args = ["create", "--email", "pairs@example.com", "--plan", "enterprise", "--quota", "1000"];
    const account = await accountsCommand<NewAccount>(args, { DATA_DIR: service.dataDir });
    client = await apiClient(service.url, account.api_key);
  });

  afterAll(async () => {
    await service.kill();
    await service.erase();
  });

  test.each(listed)("%s", { timeout: 120_000 }, async (pair) => {
    const { from, to, extension } = formatsOf(pair);
    const name = `A sample, Prüfung.${extension}`;
    const { job, bytes } = await client.turn({ name, bytes: await readFile(sampleFor(from, to)) }, extensionOf(to));
    const filename = job.result?.filename ?? "";
    const tail = bytes.subarray(-DETECTION_BYTES);
    const detected = detectFormat(bytes.subarray(0, DETECTION_BYTES), { tail, filename });
    expect(filename).toMatch(/^A sample, Prüfung\.[a-z0-9]+$/);
    expect([to, "zip"]).toContain(detected);
  });
});
