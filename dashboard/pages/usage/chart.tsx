import { useState } from "preact/hooks";
import { number } from "../../format.ts";
import { locale, texts } from "../../text.ts";
import {
  busiestOf,
  type Day,
  dayAt,
  dayByKey,
  daysInMonth,
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
 * The days of a month as bars: an image with a text summary, and a slider on top of it. The slider is a single tab stop;
 * arrow keys, touch and pointer select a day, and the legend shows the numbers of that day.
 */
export const Chart = ({ month, days, view }: ChartProps) => {
  const { usage } = texts.value;
  const [selected, setSelected] = useState<number>();
  const day = selected === undefined ? undefined : days[selected];
  return (
    <div class="usage-chart">
      <Legend day={day} days={days} view={view} />
      <div class="usage-plot">
        <Picture days={days} view={view} selected={selected} label={summaryOf({ month, days, view })} />
        <div
          class="usage-days"
          role="slider"
          tabIndex={0}
          aria-label={usage.selectedDay}
          aria-valuemin={1}
          aria-valuemax={days.length}
          aria-valuenow={(selected ?? days.length - 1) + 1}
          aria-valuetext={textOf(day ?? days.at(-1), view)}
          onFocus={() => setSelected(selected ?? days.length - 1)}
          onBlur={() => setSelected(undefined)}
          onPointerLeave={() => setSelected(undefined)}
          onPointerMove={(event) => setSelected(dayOf(event, days.length))}
          onPointerDown={(event) => setSelected(dayOf(event, days.length))}
          onKeyDown={(event) => {
            const next = dayByKey(event.key, selected ?? days.length - 1, days.length);
            if (next !== undefined) {
              event.preventDefault();
              setSelected(next);
            }
          }}
        />
      </div>
      <p class="hint usage-hint">{usage.dayHint}</p>
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
  const { usage } = texts.value;
  return views[view].map((kind) => usage.counts[kind](number(counts[kind]))).join(", ");
};

const summaryOf = ({ month, days, view }: ChartProps): string => {
  const { usage } = texts.value;
  const busiest = busiestOf(days, view);
  return usage.summary({
    view: usage[view],
    month: monthName(month, locale.value),
    counts: countsOf(totalsOf(days), view),
    busiest: busiest ? usage.busiest(dayName(busiest.date, locale.value), number(sumOf(busiest, view))) : usage.noUsage,
  });
};

/** The kinds of bars in stacking order, with the numbers of the selected day or of the month. */
const Legend = ({ day, days, view }: Omit<ChartProps, "month"> & { readonly day: Day | undefined }) => {
  const { usage } = texts.value;
  const counts = day ?? totalsOf(days);
  return (
    <dl class="usage-legend">
      <div class="usage-period">
        <dt class="hidden">{usage.day}</dt>
        <dd>{day ? dayName(day.date, locale.value) : usage.monthTotal}</dd>
      </div>
      {views[view].toReversed().map((kind) => (
        <div key={kind}>
          <dt>
            <svg viewBox="0 0 14 14" aria-hidden="true">
              <rect class={`usage-bar ${kind}`} width="14" height="14" rx="3" />
              <Pattern kind={kind} box={{ x: 0, y: 0, width: 14, height: 14 }} />
            </svg>
            {usage.kinds[kind]}
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
  readonly selected: number | undefined;
  readonly label: string;
}

const Picture = ({ days, view, selected, label }: PictureProps) => {
  const { width, height, slot, bars, ticks } = layoutOf(days, view);
  return (
    <>
      <div class="usage-ticks" aria-hidden="true">
        {ticks.map(({ value, y }) => (
          <span key={value} style={{ top: `${(y / height) * 100}%` }}>
            {number(value)}
          </span>
        ))}
      </div>
      <svg
        class="usage-bars"
        role="img"
        aria-label={label}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
      >
        {selected !== undefined && (
          <rect class="usage-selected" x={selected * slot} y={0} width={slot} height={height} />
        )}
        {ticks.map(({ value, y }) => (
          <line key={value} class="usage-line" x1={0} x2={width} y1={y} y2={y} />
        ))}
        {bars.map((bar) => (
          <g key={`${bar.kind} ${bar.x}`}>
            <rect class={`usage-bar ${bar.kind}`} x={bar.x} y={bar.y} width={bar.width} height={bar.height} />
            <Pattern kind={bar.kind} box={bar} />
          </g>
        ))}
      </svg>
      <Dates days={days} />
    </>
  );
};

/** Labels the first day and every fifth day of the month, also of its days to come. */
const Dates = ({ days }: { readonly days: readonly Day[] }) => (
  <div class="usage-dates" aria-hidden="true">
    {Array.from({ length: daysInMonth(days[0]?.date ?? "") }, (_, index) => (
      <span key={index}>{index === 0 || (index + 1) % 5 === 0 ? index + 1 : ""}</span>
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

/** Stripes on bars of the second kind, so that kinds can be distinguished without color. */
const Pattern = ({ kind, box }: { readonly kind: Kind; readonly box: Box }) => {
  if (kind !== "convert" && kind !== "failed") {
    return null;
  }
  const count = Math.floor(box.height / LINES_APART);
  return (
    <g class="usage-pattern">
      {Array.from({ length: count }, (_, index) => {
        const y = box.y + (index + 0.5) * LINES_APART;
        return <line key={index} x1={box.x} x2={box.x + box.width} y1={y} y2={y} />;
      })}
    </g>
  );
};
