import { Link } from "wouter-preact";
import { dateTime, number, relative } from "../../format.ts";
import { locale, texts } from "../../text.ts";
import { Notice } from "../../ui/notice.tsx";
import { Card } from "../../ui/parts.tsx";
import { totalsOf, type Usage } from "./chart-layout.ts";
import { monthName, resetOf } from "./months.ts";

/** Share of the quota from which a warning is shown. */
const NEAR_END = 0.8;

/** How much of this month's quota is used, and when it resets. */
export const Quota = ({ usage }: { readonly usage: Usage }) =>
  usage.limit === null ? <Unlimited used={usage.used} /> : <Limited usage={{ ...usage, limit: usage.limit }} />;

const Unlimited = ({ used }: Pick<Usage, "used">) => {
  const { usage } = texts.value;
  return (
    <Card title={usage.requests}>
      <p class="usage-figure">
        {usage.used(number(used))} <span class="muted">{usage.unlimited}</span>
      </p>
    </Card>
  );
};

const Limited = ({ usage: { month, limit, used } }: { readonly usage: Usage & { readonly limit: number } }) => {
  const { usage } = texts.value;
  const left = Math.max(0, limit - used);
  const reset = resetOf(month);
  return (
    <Card title={usage.requests}>
      <div class="usage-quota">
        <p class="usage-figure">
          {usage.usedOf(number(used), number(limit))} <span class="muted">{usage.remaining(number(left))}</span>
        </p>
        <meter
          aria-label={usage.requests}
          aria-valuetext={usage.usedOf(number(used), number(limit))}
          min={0}
          max={Math.max(1, limit)}
          high={limit * NEAR_END}
          optimum={0}
          value={Math.min(used, limit)}
        />
        <p class="hint">
          {usage.resets(dateTime(reset), relative(reset))} {usage.counted}
        </p>
      </div>
      {used >= limit * NEAR_END && (
        <Notice kind="warning">
          {left === 0 ? usage.noneLeft : usage.nearlyNone} <Link href="/plans">{usage.viewPlans}</Link>
        </Notice>
      )}
    </Card>
  );
};

/** The usage of a past month, without its quota, which may have been different. */
export const PastUsage = ({ usage: past }: { readonly usage: Usage }) => {
  const { usage } = texts.value;
  return (
    <Card title={usage.requestsOf(monthName(past.month, locale.value))}>
      <p class="usage-figure">{usage.used(number(past.used))}</p>
    </Card>
  );
};

/** Days count accepted requests; the quota counts them minus refunds. Renders nothing without refunds. */
export const Refunded = ({ usage: { days, used } }: { readonly usage: Usage }) => {
  const { upload, convert, download } = totalsOf(days);
  const refunded = upload + convert + download - used;
  return refunded > 0 ? <p class="hint">{texts.value.usage.refunded(number(refunded))}</p> : null;
};
