import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, type Schemas } from "../../api.ts";
import { bytes, duration } from "../../format.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FilterForm, PeriodFields } from "../../ui/filter-form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useReturn } from "../../ui/on-return.ts";
import { Pager } from "../../ui/pager.tsx";
import { usePaging } from "../../ui/paging.ts";
import { Badge, Card, Empty, PageHead, Table } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { Ago } from "../../ui/time.tsx";
import { RequestDetail } from "./request-detail.tsx";
import { type LoggedRequest, listPath, statusFilters, toneOf } from "./request-list.ts";
import "../../ui/stacked.css";
import "./requests.css";

/** The log of the account's requests, with filters, and the details of each. */
export const RequestsPage = () => {
  const { requests } = texts.value;
  const paging = usePaging();
  const query = new URLSearchParams(paging.search);
  const path = listPath(query, paging.position.after);
  const list = useRemote(() => api.get<Schemas["RequestList"]>(path), [path]);
  const keys = useRemote(() => api.get<Schemas["KeyList"]>("keys"));
  const [openId, setOpenId] = useState<string>();
  useReturn(list.reload);
  const opened = list.data?.requests.find(({ id }) => id === openId);
  const keyName = (id: string | null): string =>
    id === null ? requests.dashboard : (keys.data?.keys.find((key) => key.id === id)?.name ?? `…${id.slice(-6)}`);
  return (
    <>
      <PageHead
        title={requests.title}
        lead={requests.lead}
        actions={
          <Button onClick={list.reload}>
            <Icon name="retry" /> {requests.refresh}
          </Button>
        }
      />
      <Filters query={query} search={paging.search} keys={keys.data?.keys ?? []} />
      <Loaded
        of={list}
        isEmpty={(data) => data.requests.length === 0}
        empty={<Nothing isFiltered={paging.search !== ""} hasMore={list.data?.next != null} />}
      >
        {(data) => (
          <Card>
            <RequestTable requests={data.requests} keyName={keyName} onOpen={setOpenId} />
          </Card>
        )}
      </Loaded>
      <Pager paging={paging} next={list.data?.next ?? undefined} label={requests.pages} list="requests-list" />
      {opened && (
        <RequestDetail request={opened} keyName={keyName(opened.key_id)} onClose={() => setOpenId(undefined)} />
      )}
    </>
  );
};

interface FiltersProps {
  readonly query: URLSearchParams;
  readonly search: string;
  readonly keys: readonly Schemas["Key"][];
}

const Filters = ({ query, search, keys }: FiltersProps) => {
  const { requests, common } = texts.value;
  return (
    <FilterForm path="/requests" search={search}>
      <div class="filters-wide">
        <TextField
          label={requests.search}
          type="search"
          name="search"
          hint={requests.searchHint}
          defaultValue={query.get("search") ?? ""}
          autocomplete="off"
        />
      </div>
      <SelectField
        label={requests.status}
        name="status"
        value={query.get("status") ?? ""}
        choices={statusFilters.map((each) => [each === "all" ? "" : each, requests.statuses[each]])}
        onChoice={() => {}}
      />
      <SelectField
        label={requests.key}
        name="key"
        value={query.get("key") ?? ""}
        choices={[["", common.filters.allKeys], ...keys.map(({ id, name }) => [id, name] as const)]}
        onChoice={() => {}}
      />
      <PeriodFields query={query} />
    </FilterForm>
  );
};

/** With a filter, a page can be empty although older requests match: see `listRequests`. */
const Nothing = ({ isFiltered, hasMore }: { readonly isFiltered: boolean; readonly hasMore: boolean }) => {
  const { requests } = texts.value;
  if (hasMore) {
    return <Empty>{requests.noneYet}</Empty>;
  }
  return (
    <Empty>
      <p>{isFiltered ? requests.noneMatch : requests.none}</p>
      {isFiltered ? <Link href="/requests">{requests.showAll}</Link> : <Link href="/docs">{requests.start}</Link>}
    </Empty>
  );
};

interface RequestTableProps {
  readonly requests: readonly LoggedRequest[];
  readonly keyName: (id: string | null) => string;
  readonly onOpen: (id: string) => void;
}

const RequestTable = ({ requests: rows, keyName, onOpen }: RequestTableProps) => {
  const { requests } = texts.value;
  const heads = [requests.request, requests.status, requests.key, requests.time, requests.duration, requests.sent];
  return (
    <div class="stacked" id="requests-list" tabIndex={-1}>
      <Table caption={requests.list} head={[...heads, <span class="hidden">{requests.actions}</span>]}>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">
              <code class="requests-path">
                {row.method} {row.path}
              </code>
              <span class="requests-operation">{row.operation}</span>
            </th>
            <td data-label={requests.status}>
              <span class="requests-status">
                <Badge tone={toneOf(row.status)}>{row.status}</Badge>
                {row.error_code !== null && <code>{row.error_code}</code>}
              </span>
            </td>
            <td data-label={requests.key}>{keyName(row.key_id)}</td>
            <td data-label={requests.time}>
              <Ago at={row.created_at} />
            </td>
            <td data-label={requests.duration}>{duration(row.duration_ms)}</td>
            <td data-label={requests.sent}>{row.bytes_out === null ? "–" : bytes(row.bytes_out)}</td>
            <td class="row-actions">
              <Button
                kind="quiet"
                aria-label={requests.detailsOf(`${row.method} ${row.path}`, row.status)}
                onClick={() => onOpen(row.id)}
              >
                {requests.details}
              </Button>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
};
