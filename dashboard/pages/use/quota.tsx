import { Link } from "wouter-preact";
import { dateTime, number, relative } from "../../format.ts";
import { locale, texts } from "../../text.ts";
import { Notice } from "../../ui/notice.tsx";
import { Card } from "../../ui/parts.tsx";
import { totalsOf, type Use } from "./chart-layout.ts";
import { monthName, resetOf } from "./months.ts";

/** From this share of the quota on it is told that little is left. */
const NEAR_END = 0.8;

/** What of this month's quota is used, and when it begins again. */
export const Quota = ({ use: { month, limit, used } }: { readonly use: Use }) => {
  const { use } = texts.value;
  const left = Math.max(0, limit - used);
  const reset = resetOf(month);
  return (
    <Card title={use.requests}>
      <div class="use-quota">
        <p class="use-figure">
          {use.usedOf(number(used), number(limit))} <span class="muted">{use.left(number(left))}</span>
        </p>
        <meter
          aria-label={use.requests}
          aria-valuetext={use.usedOf(number(used), number(limit))}
          min={0}
          max={Math.max(1, limit)}
          high={limit * NEAR_END}
          optimum={0}
          value={Math.min(used, limit)}
        />
        <p class="hint">
          {use.resets(dateTime(reset), relative(reset))} {use.counted}
        </p>
      </div>
      {used >= limit * NEAR_END && (
        <Notice kind="warning">
          {left === 0 ? use.noneLeft : use.nearlyNone} <Link href="/plans">{use.changePlan}</Link>
        </Notice>
      )}
    </Card>
  );
};

/** What was counted in a month that is over: its quota may have been another one. */
export const PastUse = ({ use: past }: { readonly use: Use }) => {
  const { use } = texts.value;
  return (
    <Card title={use.requestsOf(monthName(past.month, locale.value))}>
      <p class="use-figure">{use.used(number(past.used))}</p>
    </Card>
  );
};

/** Days count what was accepted; the quota counts it less what was given back. Nothing where there is no difference. */
export const GivenBack = ({ use: { days, used } }: { readonly use: Use }) => {
  const { upload, convert, download } = totalsOf(days);
  const back = upload + convert + download - used;
  return back > 0 ? <p class="hint">{texts.value.use.givenBack(number(back))}</p> : null;
};
