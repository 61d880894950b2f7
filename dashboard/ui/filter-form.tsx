import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { navigate } from "wouter-preact/use-browser-location";
import { texts } from "../text.ts";
import { Button } from "./button.tsx";
import { TextField } from "./field.tsx";
import { queryOf } from "./paging.ts";
import "./filter-form.css";

export interface FilterFormProps {
  /** The path of the page, whose query has the values of the fields by their names. */
  readonly path: string;
  /** The query that the fields show. */
  readonly search: string;
  /** The fields, with names and default values. */
  readonly children: ComponentChildren;
}

/** The filters of a list. The URL has their values, so that a filtered list can be bookmarked and shared. */
export const FilterForm = ({ path, search, children }: FilterFormProps) => {
  const { filters } = texts.value.common;
  const apply = (form: HTMLFormElement): void => {
    const values = [...new FormData(form)].map(([name, value]) => [
      name,
      typeof value === "string" ? value.trim() : "",
    ]);
    navigate(path + queryOf(Object.fromEntries(values)));
  };
  return (
    // The fields start with the values of the URL, also after a step back.
    <search key={search}>
      <form
        class="filters"
        aria-label={filters.title}
        onSubmit={(event) => {
          event.preventDefault();
          apply(event.currentTarget);
        }}
      >
        {children}
        <div class="filters-actions">
          <Button type="submit">{filters.apply}</Button>
          {search !== "" && <Link href={path}>{filters.clear}</Link>}
        </div>
      </form>
    </search>
  );
};

/** The first and the last day of a period, in UTC. @param query the query that the fields show */
export const PeriodFields = ({ query }: { readonly query: URLSearchParams }) => {
  const { filters } = texts.value.common;
  return (
    <>
      <TextField label={filters.from} type="date" name="from" defaultValue={query.get("from") ?? ""} />
      <TextField label={filters.to} type="date" name="to" defaultValue={query.get("to") ?? ""} />
    </>
  );
};
