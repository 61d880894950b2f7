import { join } from "node:path";
import { type Flow, flowAt, oneCallAt } from "../api/flow.ts";
import type { BareService } from "../api/start-bare-service.ts";
import { makeCsv, makePdf } from "../support/documents.ts";
import { makeInputs } from "../support/inputs.ts";
import { makeDocx } from "../support/office.ts";
import { makeClip, makeTone } from "../support/recordings.ts";
import { bareSharp, duckdb, ffmpegCopy, ffmpegMp3, pdftoppm, soffice, vips } from "./bare-tools.ts";
import type { Started } from "./peer.ts";
import type { Rounds, System } from "./rounds.ts";

/** What is compared: an input, how often it is converted, and the systems, of which the first is the floor. */

export interface Scenario {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly rounds: Omit<Rounds, "rounds">;
  readonly systems: readonly System[];
}

/** The services that run, by name; ours is always among them. */
export interface Services {
  readonly ours: { readonly url: string; readonly key: string; readonly pid: number };
  /** What any service needs that keeps no records and waits for no disk. */
  readonly bare: BareService;
  readonly ipx: Started | undefined;
  readonly unoserver: Started | undefined;
  readonly gotenberg: Pick<Started, "convert"> | undefined;
}

const CSV_BYTES = 50_000_000;
const CLIP_SECONDS = 20;
const TONE_SECONDS = 60;

/** @returns the scenarios, and a function that ends their tools; scenarios without an installed floor are left out */
export const makeScenarios = async (
  folder: string,
  services: Services,
  chosen: (id: string) => boolean,
): Promise<{ readonly scenarios: readonly Scenario[]; readonly stop: () => void }> => {
  const [sharp, tables] = [bareSharp(), await duckdb()];
  const { large, medium, small, opaque } = await makeInputs(folder, undefined);
  const pictures = async (target: string): Promise<Systems> => [
    sharp.system,
    await vips(target),
    ...oursTo(services, target),
    ...bareTo(services, target),
    peer("ipx", services.ipx, target),
  ];
  const documents = async (): Promise<Systems> => [
    await soffice(folder),
    ...oursTo(services, "pdf"),
    peer("unoserver", services.unoserver, "pdf"),
    peer("Gotenberg", services.gotenberg, "pdf"),
  ];
  const rows: readonly Row[] = [
    ["large", "JPEG 12 MP → WebP", () => large, () => pictures("webp"), { perRound: 3, warmUps: 2 }],
    ["small", "PNG 320×240 → JPEG", () => small, () => pictures("jpg"), ONE_CLIENT],
    ["crowd", "… 16 at once", () => small, () => pictures("jpg"), MANY_CLIENTS],
    ["opaque", "… without alpha", () => opaque, () => pictures("jpg"), ONE_CLIENT],
    ["opaques", "… 16 at once", () => opaque, () => pictures("jpg"), MANY_CLIENTS],
    ["medium", "JPEG 6 MP → WebP, 16 at once", () => medium, () => pictures("webp"), CROWD],
    ["docx", "DOCX 9 pages → PDF", () => makeDocx(folder), documents, { perRound: 3, warmUps: 2 }],
    ["docxs", "… 4 at once", () => makeDocx(folder), documents, { perRound: 4, atOnce: 4, warmUps: 4 }],
    [
      "wav",
      `WAV ${TONE_SECONDS} s → MP3`,
      () => makeTone(join(folder, "tone.wav"), TONE_SECONDS),
      async () => [await ffmpegMp3(), ...oursTo(services, "mp3")],
      { perRound: 2, warmUps: 1 },
    ],
    [
      "remux",
      `MOV ${CLIP_SECONDS} s → MP4 without encoding`,
      () => makeClip(join(folder, "clip.mov"), CLIP_SECONDS),
      async () => [await ffmpegCopy(), ...oursTo(services, "mp4")],
      { perRound: 3, warmUps: 1 },
    ],
    [
      "pdf",
      "PDF 14 pages → PNG, 150 dpi",
      () => makePdf(folder, large),
      async () => [await pdftoppm(), ...oursTo(services, "png")],
      { perRound: 1, warmUps: 1 },
    ],
    [
      "csv",
      `CSV ${CSV_BYTES / 1e6} MB → Parquet`,
      () => makeCsv(folder, CSV_BYTES),
      async () => [tables.system, ...oursTo(services, "parquet")],
      { perRound: 2, warmUps: 1 },
    ],
  ];
  const scenarios: Scenario[] = [];
  for (const [id, name, makeInput, makeSystems, rounds] of rows.filter(([id]) => chosen(id))) {
    const [floor, ...others] = await makeSystems();
    if (floor !== undefined) {
      const systems = [floor, ...others.filter((system) => system !== undefined)];
      scenarios.push({ id, name, input: await makeInput(), rounds, systems });
    }
  }
  const stop = (): void => {
    sharp.stop();
    tables.stop();
  };
  return { scenarios, stop };
};

const ONE_CLIENT = { perRound: 20, warmUps: 100 };
const MANY_CLIENTS = { perRound: 96, atOnce: 16, warmUps: 96 };
const CROWD = { perRound: 16, atOnce: 16, warmUps: 4 };

type Systems = readonly (System | undefined)[];

type Row = readonly [
  id: string,
  name: string,
  input: () => string | Promise<string>,
  systems: () => Promise<Systems>,
  rounds: Omit<Rounds, "rounds">,
];

const oursTo = ({ ours: { url, key, pid } }: Services, target: string): readonly System[] => {
  return waysTo("anyform", { url, key, root: pid }, target);
};

const bareTo = ({ bare: { url, root } }: Services, target: string): readonly System[] =>
  waysTo("bare service", { url, key: "none", root }, target);

interface Called {
  readonly url: string;
  readonly key: string;
  readonly root: number;
}

/** @returns the two ways to convert with a service that has our API */
const waysTo = (service: string, { url, key, root }: Called, target: string): readonly System[] => {
  const ways: readonly (readonly [string, Flow])[] = [
    [`${service}, one call`, oneCallAt(url, key)],
    [`${service}, upload to download`, flowAt(url, key)],
  ];
  return ways.map(([name, flow]) => ({ name, root, convert: (input) => flow(input, target) }));
};

const peer = (
  name: string,
  started: (Pick<Started, "convert"> & Partial<Started>) | undefined,
  target: string,
): System | undefined =>
  started && {
    name,
    convert: (input) => started.convert(input, target),
    ...(started.root !== undefined && { root: started.root }),
  };
