import { type FormatId, formatOf } from "../formats/formats.ts";
import type { Fidelity } from "./conversion.ts";
import { laneHolds } from "./engines.ts";
import { type LaneId, lanes } from "./lanes.ts";
import { mergedRules, NO_RULES } from "./option-rules.ts";
import type { Route, RouteStep } from "./plan.ts";

/** What a mixed merge is planned with. */
export interface MixedParts {
  readonly deployed: readonly LaneId[];
  /** @returns the formats that can be merged into the target */
  readonly sources: (to: FormatId) => readonly FormatId[];
  readonly find: (from: FormatId, to: FormatId) => Route | undefined;
  /** @returns the route of one step that merges files of these formats */
  readonly merge: (formats: readonly FormatId[], to: FormatId) => Route | undefined;
}

/**
 * Plans a merge of files that no engine reads together: those that the merge does not read are converted first, each by
 * its best route; a merge that the target does not have is done in another format, and its result converted.
 *
 * @param wanted the options of the job: a merge that supports them comes first
 * @returns undefined if a file cannot be converted, or no lane has all engines
 */
export const planMixed = (
  formats: readonly FormatId[],
  to: FormatId,
  wanted: readonly string[],
  parts: MixedParts,
): Route | undefined => {
  const routes = hubsOf(formats, to, wanted, parts).flatMap((hub) =>
    [true, false].flatMap((keeps) => joined(formats, to, { ...hub, keeps }, parts) ?? []),
  );
  const supports = ({ options }: Route): boolean => wanted.every((name) => options.some((own) => own === name));
  return routes.find(supports) ?? routes[0];
};

/** The format that files are converted to, and the one that they are merged in. */
interface Hub {
  readonly source: FormatId;
  readonly merged: FormatId;
}

const hubsOf = (
  formats: readonly FormatId[],
  to: FormatId,
  wanted: readonly string[],
  { sources }: MixedParts,
): readonly Hub[] => {
  const readable = sources(to);
  if (wanted.includes("columns") && to === "pdf") {
    return [{ source: "jpg", merged: "jpg" }];
  }
  const [first] = readable;
  const own = readable.includes(to) ? to : first;
  if (own !== undefined) {
    return [{ source: own, merged: to }];
  }
  return [...formats, to].every(hasRows) ? [{ source: "csv", merged: "csv" }] : [];
};

/** @returns whether files of the format can be merged into the target after each is converted to it */
export const mergesConverted = (from: FormatId, to: FormatId, sources: MixedParts["sources"]): boolean =>
  sources(to).length > 0 || (sources("csv").includes("csv") && [from, to].every(hasRows));

const hasRows = (format: FormatId): boolean => {
  const { family, keeps } = formatOf(format);
  return family === "spreadsheet" || (family === "data" && keeps.includes("rows"));
};

/** Instead of a route: the file is merged as it is. */
const STAYS = "stays" as const;

interface Chosen extends Hub {
  /** Whether files that the merge reads stay as they are. */
  readonly keeps: boolean;
}

const joined = (
  formats: readonly FormatId[],
  to: FormatId,
  { source, merged, keeps }: Chosen,
  { deployed, sources, find, merge }: MixedParts,
): Route | undefined => {
  const stays = (format: FormatId): boolean =>
    format === source || (keeps && sources(merged).some((own) => own === format));
  const before = formats.map((format) => (stays(format) ? STAYS : find(format, source)));
  const middle = merge(
    formats.map((format) => (stays(format) ? format : source)),
    merged,
  );
  const after = merged === to ? STAYS : find(merged, to);
  const parts = [...before, middle, after];
  const all = parts.flatMap((part) => (part === undefined || part === STAYS ? [] : [part]));
  const [step] = middle?.steps ?? [];
  if (step === undefined || parts.includes(undefined)) {
    return undefined;
  }
  const lane = deployed.find((id) => all.every((route) => holds(id, route.steps)));
  const stepsOf = (part: Route | typeof STAYS | undefined): readonly RouteStep[] =>
    part === undefined || part === STAYS ? [] : part.steps;
  const [first = [], ...further] = before.map(stepsOf);
  return lane === undefined
    ? undefined
    : {
        from: formats[0] ?? to,
        to,
        steps: [...first, { ...step, merges: true }, ...stepsOf(after)],
        further,
        fidelity: worst(all),
        drops: [...new Set(all.flatMap(({ drops }) => drops))],
        options: [...new Set(all.flatMap(({ options }) => options))],
        rules: all.map(({ rules = NO_RULES }) => rules).reduce((rules, next) => mergedRules(rules, next)),
        lane,
        ...helperOf(all, lane, deployed),
        inputBytesMax: lanes[lane].inputBytesMax,
        merges: true,
      };
};

const holds = (lane: LaneId, steps: readonly RouteStep[]): boolean =>
  steps.every(({ engine }) => laneHolds(lane, engine));

/** The helpers of the parts are in a lane that also has all engines. */
const helperOf = (routes: readonly Route[], lane: LaneId, deployed: readonly LaneId[]): Pick<Route, "helperLane"> => {
  const wanted = routes.flatMap(({ helperLane }) => helperLane ?? []);
  const able = (id: LaneId): boolean => routes.every(({ steps }) => holds(id, steps));
  const helperLane = wanted.includes(lane) ? lane : deployed.find((id) => wanted.includes(id) && able(id));
  return helperLane === undefined ? {} : { helperLane };
};

const worst = (routes: readonly Route[]): Fidelity =>
  (["content_only", "lossy"] as const).find((name) => routes.some(({ fidelity }) => fidelity === name)) ?? "lossless";
