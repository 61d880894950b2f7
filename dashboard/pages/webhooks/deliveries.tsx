import { useEffect, useState } from "preact/hooks";
import { useSearchParams } from "wouter-preact";
import { api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { toast } from "../../ui/live.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useReturn } from "../../ui/on-return.ts";
import { Pager } from "../../ui/pager.tsx";
import { queryOf, usePaging } from "../../ui/paging.ts";
import { Card, Empty, Table } from "../../ui/parts.tsx";
import { ProblemInView } from "../../ui/problem-in-view.tsx";
import { useRemote } from "../../ui/remote.ts";
import { Ago } from "../../ui/time.tsx";
import { DeliveryDetail } from "./delivery-detail.tsx";
import { type Delivery, DeliveryState } from "./delivery-state.tsx";
import type { Endpoint } from "./endpoints.tsx";

const PAGE_ITEMS = "20";

/** Milliseconds until the list is reloaded after a resend: most receivers have responded by then. */
const RELOAD_MS = 1_500;

/** The messages of the last 30 days and their delivery status. */
export const Deliveries = ({ endpoints }: { readonly endpoints: readonly Endpoint[] }) => {
  const { deliveries } = texts.value.webhooks;
  const paging = usePaging();
  const [query, setQuery] = useSearchParams();
  const endpoint = query.get("endpoint") ?? "";
  const path = `webhooks${queryOf({ limit: PAGE_ITEMS, endpoint, after: paging.position.after })}`;
  const list = useRemote(() => api.get<Schemas["WebhookList"]>(path), [path]);
  const [openId, setOpenId] = useState<string>();
  const resend = useResend(list.reload);
  useReturn(list.reload);
  const opened = list.data?.messages.find(({ id }) => id === openId);
  return (
    <Card
      title={deliveries.title}
      actions={
        <Button onClick={list.reload}>
          <Icon name="retry" /> {deliveries.refresh}
        </Button>
      }
    >
      <p class="muted">{deliveries.lead}</p>
      {(endpoint !== "" || endpoints.some(({ id }) => id !== "default")) && (
        <EndpointFilter
          endpoints={endpoints}
          value={endpoint}
          onChoice={(id) => setQuery(id === "" ? {} : { endpoint: id })}
        />
      )}
      <ProblemInView error={resend.problem} />
      <Loaded of={list} isEmpty={({ messages }) => messages.length === 0} empty={<Empty>{deliveries.none}</Empty>}>
        {({ messages }) => (
          <DeliveryTable messages={messages} onResend={({ id }) => resend.run(id)} onOpen={({ id }) => setOpenId(id)} />
        )}
      </Loaded>
      <Pager paging={paging} next={list.data?.next ?? undefined} label={deliveries.pages} list="webhooks-list" />
      {opened && (
        <DeliveryDetail message={opened} onClose={() => setOpenId(undefined)} onResend={() => resend.run(opened.id)} />
      )}
    </Card>
  );
};

interface EndpointFilterProps {
  readonly endpoints: readonly Endpoint[];
  readonly value: string;
  readonly onChoice: (id: string) => void;
}

/** Selects the messages of one endpoint. */
const EndpointFilter = ({ endpoints, value, onChoice }: EndpointFilterProps) => {
  const { deliveries } = texts.value.webhooks;
  const others = endpoints.filter(({ id }) => id !== "default").map(({ id, url }) => [id, url] as const);
  const choices = [["", deliveries.all], ["default", deliveries.ofJobs], ...others] as const;
  return (
    <div class="webhooks-filter">
      <SelectField label={deliveries.endpoint} choices={choices} value={value} onChoice={onChoice} />
    </div>
  );
};

/** Resends a message, and reloads the list a little later to show the outcome. */
const useResend = (reload: () => Promise<void>) => {
  const [resent, setResent] = useState(0);
  useEffect(() => {
    const timer = resent === 0 ? undefined : setTimeout(reload, RELOAD_MS);
    return () => clearTimeout(timer);
  }, [resent]);
  return useAction(async (id: string) => {
    await api.post(`webhooks/${id}/redeliver`);
    toast(texts.value.webhooks.deliveries.resent);
    await reload();
    setResent(resent + 1);
  });
};

interface DeliveryTableProps {
  readonly messages: readonly Delivery[];
  readonly onResend: (message: Delivery) => unknown;
  readonly onOpen: (message: Delivery) => void;
}

const DeliveryTable = ({ messages, onResend, onOpen }: DeliveryTableProps) => {
  const { deliveries } = texts.value.webhooks;
  const heads = [deliveries.message, deliveries.to, deliveries.state, deliveries.created, deliveries.attempts];
  return (
    <div class="stacked" id="webhooks-list" tabIndex={-1}>
      <Table caption={deliveries.list} head={[...heads, <span class="hidden">{deliveries.actions}</span>]}>
        {messages.map((message) => (
          <tr key={message.id}>
            <th scope="row">
              {deliveries.types[message.type]}
              <code class="webhooks-id">…{message.id.slice(-8)}</code>
            </th>
            <td data-label={deliveries.to} class="webhooks-to">
              <span title={message.url}>{message.url}</span>
            </td>
            <td data-label={deliveries.state}>
              <DeliveryState message={message} />
            </td>
            <td data-label={deliveries.created}>
              <Ago at={message.created_at} />
            </td>
            <td data-label={deliveries.attempts}>{message.attempts.length}</td>
            <td class="row-actions">
              <Button kind="quiet" aria-label={deliveries.detailsOf(message.id)} onClick={() => onOpen(message)}>
                {deliveries.details}
              </Button>
              <Button kind="quiet" aria-label={deliveries.resendOf(message.id)} onClick={() => onResend(message)}>
                {deliveries.resend}
              </Button>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
};
