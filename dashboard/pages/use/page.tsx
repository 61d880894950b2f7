import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Link, useSearchParams } from "wouter-preact";
import { api } from "../../api.ts";
import { locale, texts } from "../../text.ts";
import { SelectField } from "../../ui/field.tsx";
import { FirstSteps } from "../../ui/first-steps.tsx";
import { Loading, ProblemNotice } from "../../ui/notice.tsx";
import { useReturn } from "../../ui/on-return.ts";
import { Card, Empty, PageHead } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { Chart } from "./chart.tsx";
import { totalsOf, type Use, type View } from "./chart-layout.ts";
import { DayTable } from "./day-table.tsx";
import { monthAsked, monthName, monthOf, monthsBack } from "./months.ts";
import { GivenBack, PastUse, Quota } from "./quota.tsx";
import "./use.css";

/** What the account used: this month against its quota, and each day. */
export const UsePage = () => {
  const { use } = texts.value;
  const [query, setQuery] = useSearchParams();
  const thisMonth = monthOf(Date.now());
  const month = monthAsked(query.get("month"), Date.now());
  const read = useRemote(() => api.get<Use>(`account/use?month=${month}`), [month]);
  useReturn(read.reload);
  const name = (each: string): string => monthName(each, locale.value);
  return (
    <>
      <PageHead title={use.title} lead={use.lead} />
      {read.error !== undefined && <ProblemNotice error={read.error} />}
      {read.data === undefined && read.loading && <Loading />}
      {read.data && (read.data.month === thisMonth ? <Quota use={read.data} /> : <PastUse use={read.data} />)}
      {read.data && (
        <Days use={read.data} isNow={read.data.month === thisMonth}>
          <SelectField
            label={use.month}
            value={month}
            choices={monthsBack(Date.now()).map((each) => [
              each,
              each === thisMonth ? use.thisMonth(name(each)) : name(each),
            ])}
            onChoice={(next) => setQuery(next === thisMonth ? {} : { month: next })}
          />
        </Days>
      )}
      {read.data && read.data.used === 0 && <FirstSteps />}
    </>
  );
};

interface DaysProps {
  readonly use: Use;
  readonly isNow: boolean;
  /** The choice of the month. */
  readonly children: ComponentChildren;
}

/** The chart of the days, with what it shows to choose, and its numbers. */
const Days = ({ use: read, isNow, children }: DaysProps) => {
  const { use } = texts.value;
  const [view, setView] = useState<View>("byOperation");
  const isEmpty = Object.values(totalsOf(read.days)).every((count) => count === 0);
  return (
    <Card title={use.chart}>
      <div class="use-choices">
        <SelectField
          label={use.by}
          value={view}
          choices={[
            ["byOperation", use.byOperation],
            ["byResult", use.byResult],
          ]}
          onChoice={(next) => setView(next === "byResult" ? "byResult" : "byOperation")}
        />
        {children}
      </div>
      {isEmpty ? (
        <Empty>
          <p>{isNow ? use.nothing : use.nothingThen}</p>
          {isNow && <Link href="/">{use.start}</Link>}
        </Empty>
      ) : (
        <>
          <Chart key={read.month} month={read.month} days={read.days} view={view} />
          <GivenBack use={read} />
          <DayTable days={read.days} />
        </>
      )}
    </Card>
  );
};
