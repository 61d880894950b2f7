import { useState } from "preact/hooks";
import { number } from "../../format.ts";
import { locale, texts } from "../../text.ts";
import {
  busiestOf,
  type Day,
  dayAt,
  dayByKey,
  type Kind,
  layoutOf,
  sumOf,
  totalsOf,
  type View,
  views,
} from "./chart-layout.ts";
import { dayName, monthName } from "./months.ts";

export interface ChartProps {
  readonly month: string;
  readonly days: readonly Day[];
  readonly view: View;
}

/**
 * The days of a month as bars. It is a picture with a summary, and over it a slider: one stop of the keyboard, whose arrow
 * keys go from day to day, as a finger or a pointer do. What the day has stands in the legend.
 */
export const Chart = ({ month, days, view }: ChartProps) => {
  const { use } = texts.value;
  const [chosen, setChosen] = useState<number>();
  const day = chosen === undefined ? undefined : days[chosen];
  return (
    <div class="use-chart">
      <Legend day={day} days={days} view={view} />
      <div class="use-plot">
        <Picture days={days} view={view} chosen={chosen} label={summaryOf({ month, days, view })} />
        <div
          class="use-days"
          role="slider"
          tabIndex={0}
          aria-label={use.dayWith}
          aria-valuemin={1}
          aria-valuemax={days.length}
          aria-valuenow={(chosen ?? days.length - 1) + 1}
          aria-valuetext={textOf(day ?? days.at(-1), view)}
          onFocus={() => setChosen(chosen ?? days.length - 1)}
          onBlur={() => setChosen(undefined)}
          onPointerLeave={() => setChosen(undefined)}
          onPointerMove={(event) => setChosen(dayOf(event, days.length))}
          onPointerDown={(event) => setChosen(dayOf(event, days.length))}
          onKeyDown={(event) => {
            const next = dayByKey(event.key, chosen ?? days.length - 1, days.length);
            if (next !== undefined) {
              event.preventDefault();
              setChosen(next);
            }
          }}
        />
      </div>
      <p class="hint use-hint">{use.dayHint}</p>
    </div>
  );
};

const dayOf = (event: PointerEvent & { readonly currentTarget: HTMLElement }, days: number): number => {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  return dayAt((event.clientX - left) / width, days);
};

const textOf = (day: Day | undefined, view: View): string =>
  day === undefined ? "" : `${dayName(day.date, locale.value)}: ${countsOf(day, view)}`;

const countsOf = (counts: Readonly<Record<Kind, number>>, view: View): string => {
  const { use } = texts.value;
  return views[view].map((kind) => use.counts[kind](number(counts[kind]))).join(", ");
};

const summaryOf = ({ month, days, view }: ChartProps): string => {
  const { use } = texts.value;
  const busiest = busiestOf(days, view);
  return use.summary({
    view: use[view],
    month: monthName(month, locale.value),
    counts: countsOf(totalsOf(days), view),
    busiest: busiest ? use.busiest(dayName(busiest.date, locale.value), number(sumOf(busiest, view))) : use.quiet,
  });
};

/** What the bars mean, in the order in which they lie on each other, with the numbers of a day or of the month. */
const Legend = ({ day, days, view }: Omit<ChartProps, "month"> & { readonly day: Day | undefined }) => {
  const { use } = texts.value;
  const counts = day ?? totalsOf(days);
  return (
    <dl class="use-legend">
      <div class="use-when">
        <dt class="hidden">{use.day}</dt>
        <dd>{day ? dayName(day.date, locale.value) : use.wholeMonth}</dd>
      </div>
      {views[view].toReversed().map((kind) => (
        <div key={kind}>
          <dt>
            <svg viewBox="0 0 14 14" aria-hidden="true">
              <rect class={`use-bar ${kind}`} width="14" height="14" rx="3" />
              <Pattern kind={kind} box={{ x: 0, y: 0, width: 14, height: 14 }} />
            </svg>
            {use.kinds[kind]}
          </dt>
          <dd>{number(counts[kind])}</dd>
        </div>
      ))}
    </dl>
  );
};

interface PictureProps {
  readonly days: readonly Day[];
  readonly view: View;
  readonly chosen: number | undefined;
  readonly label: string;
}

const Picture = ({ days, view, chosen, label }: PictureProps) => {
  const { width, height, slot, bars, ticks } = layoutOf(days, view);
  return (
    <>
      <div class="use-ticks" aria-hidden="true">
        {ticks.map(({ value, y }) => (
          <span key={value} style={{ top: `${(y / height) * 100}%` }}>
            {number(value)}
          </span>
        ))}
      </div>
      <svg class="use-bars" role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
        {chosen !== undefined && <rect class="use-chosen" x={chosen * slot} y={0} width={slot} height={height} />}
        {ticks.map(({ value, y }) => (
          <line key={value} class="use-line" x1={0} x2={width} y1={y} y2={y} />
        ))}
        {bars.map((bar) => (
          <g key={`${bar.kind} ${bar.x}`}>
            <rect class={`use-bar ${bar.kind}`} x={bar.x} y={bar.y} width={bar.width} height={bar.height} />
            <Pattern kind={bar.kind} box={bar} />
          </g>
        ))}
      </svg>
      <Dates days={days} />
    </>
  );
};

/** Every fifth day of the month has its number under it. */
const Dates = ({ days }: { readonly days: readonly Day[] }) => (
  <div class="use-dates" aria-hidden="true">
    {days.map(({ date }, index) => (
      <span key={date}>{index === 0 || (index + 1) % 5 === 0 ? index + 1 : ""}</span>
    ))}
  </div>
);

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const LINES_APART = 5;

/** Lines over a bar of the second kind, so that kinds are told apart without colour. */
const Pattern = ({ kind, box }: { readonly kind: Kind; readonly box: Box }) => {
  if (kind !== "convert" && kind !== "failed") {
    return null;
  }
  const count = Math.floor(box.height / LINES_APART);
  return (
    <g class="use-pattern">
      {Array.from({ length: count }, (_, index) => {
        const y = box.y + (index + 0.5) * LINES_APART;
        return <line key={index} x1={box.x} x2={box.x + box.width} y1={y} y2={y} />;
      })}
    </g>
  );
};
