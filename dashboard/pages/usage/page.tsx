import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Link, useSearchParams } from "wouter-preact";
import { api } from "../../api.ts";
import { locale, texts } from "../../text.ts";
import { SelectField } from "../../ui/field.tsx";
import { FirstSteps } from "../../ui/first-steps.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useReturn } from "../../ui/on-return.ts";
import { Card, Empty, PageHead } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { Breakdown } from "./breakdown-part.tsx";
import { Chart } from "./chart.tsx";
import { totalsOf, type Usage, type View } from "./chart-layout.ts";
import { DayTable } from "./day-table.tsx";
import { monthName, monthOf, monthsBack, requestedMonth } from "./months.ts";
import { PastUsage, Quota, Refunded } from "./quota.tsx";
import "../../ui/stacked.css";
import "./usage.css";

/** The account's usage: this month compared to its quota, and by day. */
export const UsagePage = () => {
  const { usage } = texts.value;
  const [query, setQuery] = useSearchParams();
  const thisMonth = monthOf(Date.now());
  const month = requestedMonth(query.get("month"), Date.now());
  const read = useRemote(() => api.get<Usage>(`account/use?month=${month}`), [month]);
  useReturn(read.reload);
  const name = (each: string): string => monthName(each, locale.value);
  return (
    <>
      <PageHead title={usage.title} lead={usage.lead} />
      <Loaded of={read}>
        {(data) => (
          <>
            {data.month === thisMonth ? <Quota usage={data} /> : <PastUsage usage={data} />}
            <Days usage={data} isNow={data.month === thisMonth}>
              <SelectField
                label={usage.month}
                value={month}
                choices={monthsBack(Date.now(), data.since).map((each) => [
                  each,
                  each === thisMonth ? usage.thisMonth(name(each)) : name(each),
                ])}
                onChoice={(next) => setQuery(next === thisMonth ? {} : { month: next })}
              />
            </Days>
            <Breakdown usage={data} />
            {data.used === 0 && <FirstSteps />}
          </>
        )}
      </Loaded>
    </>
  );
};

interface DaysProps {
  readonly usage: Usage;
  readonly isNow: boolean;
  /** The field that selects the month. */
  readonly children: ComponentChildren;
}

/** The daily chart with its fields, and its numbers as a table. */
const Days = ({ usage: read, isNow, children }: DaysProps) => {
  const { usage } = texts.value;
  const [view, setView] = useState<View>("byOperation");
  const isEmpty = Object.values(totalsOf(read.days)).every((count) => count === 0);
  return (
    <Card title={usage.chart}>
      <div class="usage-choices">
        <SelectField
          label={usage.by}
          value={view}
          choices={[
            ["byOperation", usage.byOperation],
            ["byResult", usage.byResult],
          ]}
          onChoice={(next) => setView(next === "byResult" ? "byResult" : "byOperation")}
        />
        {children}
      </div>
      {isEmpty ? (
        <Empty>
          <p>{isNow ? usage.emptyNow : usage.emptyThen}</p>
          {isNow && <Link href="/">{usage.start}</Link>}
        </Empty>
      ) : (
        <>
          <Chart key={read.month} month={read.month} days={read.days} view={view} />
          <Refunded usage={read} />
          <DayTable days={read.days} />
        </>
      )}
    </Card>
  );
};
