import type { Schemas } from "../../api.ts";

export type Usage = Schemas["Use"];

export type Day = Schemas["UseDay"];

export const views = {
  byOperation: ["upload", "convert", "download"],
  byResult: ["completed", "failed", "cancelled"],
} as const;

export type View = keyof typeof views;

export type Kind = (typeof views)[View][number];

/** A bar of the chart, in units of the chart: x to the right, y downwards. */
export interface Bar {
  readonly kind: Kind;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ChartLayout {
  readonly width: number;
  readonly height: number;
  /** Width of a day; its bars are centered in it. */
  readonly slot: number;
  readonly bars: readonly Bar[];
  /** Grid lines with their value, lowest first. */
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
}

const HEIGHT = 200;
const SLOT = 24;
/** Share of a day's width that its bars fill; the rest is the gap between days. */
const BAR_SHARE = 0.7;
/** Days of the longest month, so that the bars of a new month do not move as days are added. */
const DAYS_MAX = 31;

/** @param date a day of the month: `2026-11-01` */
export const daysInMonth = (date: string): number =>
  new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).getUTCDate();

/** @returns stacked bars for each day, in the order of the view; the highest tick is at the top */
export const layoutOf = (days: readonly Day[], view: View): ChartLayout => {
  const top = topOf(Math.max(0, ...days.map((day) => sumOf(day, view))));
  const unit = HEIGHT / top;
  return {
    width: DAYS_MAX * SLOT,
    height: HEIGHT,
    slot: SLOT,
    bars: days.flatMap((day, index) => barsOf(day, view, { x: (index + (1 - BAR_SHARE) / 2) * SLOT, unit })),
    ticks: ticksOf(top).map((value) => ({ value, y: HEIGHT - value * unit })),
  };
};

const barsOf = (day: Day, view: View, { x, unit }: { readonly x: number; readonly unit: number }): Bar[] => {
  let y = HEIGHT;
  return views[view].flatMap((kind) => {
    const height = day[kind] * unit;
    y -= height;
    return height === 0 ? [] : [{ kind, x, y, width: SLOT * BAR_SHARE, height }];
  });
};

export const sumOf = (day: Day, view: View): number => views[view].reduce((sum, kind) => sum + day[kind], 0);

/** @returns the total of each kind */
export const totalsOf = (days: readonly Day[]): Record<Kind, number> => {
  const total = (kind: Kind): number => days.reduce((sum, day) => sum + day[kind], 0);
  return {
    upload: total("upload"),
    convert: total("convert"),
    download: total("download"),
    completed: total("completed"),
    failed: total("failed"),
    cancelled: total("cancelled"),
  };
};

/** @returns the day with the highest total; undefined without usage */
export const busiestOf = (days: readonly Day[], view: View): Day | undefined => {
  const most = Math.max(0, ...days.map((day) => sumOf(day, view)));
  return most === 0 ? undefined : days.find((day) => sumOf(day, view) === most);
};

const STEPS = [1, 2, 5, 10] as const;
const TICKS_MAX = 4;

/** @returns the distance of ticks: 1, 2 or 5 times a power of ten, so that at most four steps are needed */
const stepOf = (most: number): number => {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, most / TICKS_MAX))));
  return power * (STEPS.find((step) => step * power * TICKS_MAX >= most) ?? 10);
};

const topOf = (most: number): number => {
  const step = stepOf(most);
  return Math.max(1, Math.ceil(most / step)) * step;
};

const ticksOf = (top: number): number[] => {
  const step = stepOf(top);
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
};

/** @returns the index of the day at a share (0 to 1) of the chart's width; past the end, the last day */
export const dayAt = (share: number, days: number): number =>
  Math.min(days - 1, Math.max(0, Math.floor(share * DAYS_MAX)));

/** Keys that move the selection: from the current day, and the last one, to the new day. */
const KEYS: Readonly<Record<string, (day: number, last: number) => number>> = {
  ArrowLeft: (day) => day - 1,
  ArrowDown: (day) => day - 1,
  ArrowRight: (day) => day + 1,
  ArrowUp: (day) => day + 1,
  PageDown: (day) => day - 7,
  PageUp: (day) => day + 7,
  Home: () => 0,
  End: (_, last) => last,
};

/** @returns the day that a key selects; undefined for any other key */
export const dayByKey = (key: string, day: number, days: number): number | undefined => {
  const move = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  return move && Math.min(days - 1, Math.max(0, move(day, days - 1)));
};
