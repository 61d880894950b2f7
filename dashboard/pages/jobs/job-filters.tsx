import { api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FilterForm, PeriodFields } from "../../ui/filter-form.tsx";
import { useRemote } from "../../ui/remote.ts";
import { type Filter, filterOf, filters } from "./job-list.ts";

/** The URL does not have the value of a filter that restricts nothing. */
const choiceOf = (filter: Filter): string => (filter === "all" ? "" : filter);

/** The search and the filters of the list of jobs. @param search the query of the page */
export const JobFilters = ({ search }: { readonly search: string }) => {
  const { jobs, common } = texts.value;
  const query = new URLSearchParams(search);
  const keys = useRemote(() => api.get<Schemas["KeyList"]>("keys"));
  return (
    <FilterForm path="/jobs" search={search}>
      <div class="filters-wide">
        <TextField
          label={jobs.search}
          type="search"
          name="search"
          hint={jobs.searchHint}
          defaultValue={query.get("search") ?? ""}
          autocomplete="off"
        />
      </div>
      <SelectField
        label={jobs.filter}
        name="status"
        value={choiceOf(filterOf(query.get("status")))}
        choices={filters.map((filter) => [choiceOf(filter), jobs.filters[filter]] as const)}
        onChoice={() => {}}
      />
      <TextField label={jobs.source} name="source" defaultValue={query.get("source") ?? ""} />
      <TextField label={jobs.target} name="target" defaultValue={query.get("target") ?? ""} />
      <SelectField
        label={common.filters.key}
        name="key"
        value={query.get("key") ?? ""}
        choices={[["", common.filters.allKeys], ...(keys.data?.keys ?? []).map(({ id, name }) => [id, name] as const)]}
        onChoice={() => {}}
      />
      <PeriodFields query={query} />
    </FilterForm>
  );
};
