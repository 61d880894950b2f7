import type { Schemas } from "../../api.ts";
import { duration, share, utcDay } from "../../format.ts";
import { texts } from "../../text.ts";
import { Badge, Card, Empty } from "../../ui/parts.tsx";
import { type DayBar, dayBars, type EngineStatus, levelOf } from "./history.ts";

/** The success and latency of each engine that was used in the last 90 days. */
export const EngineHistory = ({ status }: { readonly status: Schemas["ServiceStatus"] }) => {
  const { status: text } = texts.value;
  return (
    <Card title={text.history}>
      <p class="muted">{text.historyLead}</p>
      {status.engines.length === 0 ? (
        <Empty>{text.historyEmpty}</Empty>
      ) : (
        <>
          <Legend />
          <ul class="status-engines">
            {status.engines.map((engine) => (
              <li key={engine.engine}>
                <Engine engine={engine} bars={dayBars(engine, status.from, status.to)} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
};

const TONES = { good: "good", warning: "warning", bad: "bad", none: "neutral" } as const;

const Engine = ({ engine, bars }: { readonly engine: EngineStatus; readonly bars: readonly DayBar[] }) => {
  const { status: text } = texts.value;
  const { median_ms: median, p95_ms: p95 } = engine;
  return (
    <>
      <h3>{engine.engine}</h3>
      <Badge tone={TONES[levelOf(engine.success)]}>{text.success(share(engine.success))}</Badge>
      <small class="muted">{median !== null && p95 !== null && text.latency(duration(median), duration(p95))}</small>
      <Bars engine={engine} bars={bars} />
    </>
  );
};

const BAR_WIDTH = 4;
const BAR_SPACE = 1;
const BAR_HEIGHT = 24;

/** A bar per day. Its description has the numbers, for readers who cannot use the colors. */
const Bars = ({ engine, bars }: { readonly engine: EngineStatus; readonly bars: readonly DayBar[] }) => {
  const { status: text } = texts.value;
  const worst = bars.reduce<DayBar | undefined>(
    (low, bar) => (bar.success !== undefined && bar.success < (low?.success ?? 1) ? bar : low),
    undefined,
  );
  const label = text.barsOf(
    engine.engine,
    engine.days.length,
    share(engine.success),
    worst?.success === undefined ? undefined : text.day(utcDay(worst.date), share(worst.success)),
  );
  return (
    <svg
      class="status-bars"
      viewBox={`0 0 ${bars.length * BAR_WIDTH - BAR_SPACE} ${BAR_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map((bar, index) => (
        <rect key={bar.date} class={bar.level} x={index * BAR_WIDTH} width={BAR_WIDTH - BAR_SPACE} height={BAR_HEIGHT}>
          <title>
            {bar.success === undefined
              ? text.dayNone(utcDay(bar.date))
              : text.day(utcDay(bar.date), share(bar.success))}
          </title>
        </rect>
      ))}
    </svg>
  );
};

const Legend = () => {
  const { legend } = texts.value.status;
  return (
    <ul class="status-legend">
      {(["good", "warning", "bad", "none"] as const).map((level) => (
        <li key={level}>
          <svg viewBox="0 0 3 3" aria-hidden="true">
            <rect class={level} width="3" height="3" />
          </svg>
          {legend[level]}
        </li>
      ))}
    </ul>
  );
};
