import { useEffect, useState } from "preact/hooks";
import { api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { announce } from "../../ui/live.tsx";
import { Loading, ProblemNotice } from "../../ui/notice.tsx";
import { useReturn } from "../../ui/on-return.ts";
import { Pager } from "../../ui/pager.tsx";
import { queryOf, usePaging } from "../../ui/paging.ts";
import { Card, Empty, Table } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { SeenProblem } from "../../ui/seen-problem.tsx";
import { Ago } from "../../ui/time.tsx";
import { DeliveryDetail } from "./delivery-detail.tsx";
import { type Delivery, DeliveryState } from "./delivery-state.tsx";

const PAGE_ITEMS = "20";

/** Milliseconds after which a message that was sent again is looked at: most receivers have answered by then. */
const LOOK_MS = 1_500;

/** The messages of the last 30 days, with what became of them. */
export const Deliveries = () => {
  const { deliveries } = texts.value.webhooks;
  const paging = usePaging();
  const path = `webhooks${queryOf({ limit: PAGE_ITEMS, after: paging.place.after })}`;
  const list = useRemote(() => api.get<Schemas["WebhookList"]>(path), [path]);
  const [openId, setOpenId] = useState<string>();
  const again = useAgain(list.reload);
  useReturn(list.reload);
  const messages = list.data?.messages;
  const opened = messages?.find(({ id }) => id === openId);
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
      {list.error !== undefined && <ProblemNotice error={list.error} />}
      <SeenProblem error={again.problem} />
      {messages === undefined && list.loading && <Loading />}
      {messages?.length === 0 && <Empty>{deliveries.none}</Empty>}
      {messages && messages.length > 0 && (
        <DeliveryTable messages={messages} onAgain={({ id }) => again.run(id)} onOpen={({ id }) => setOpenId(id)} />
      )}
      <Pager paging={paging} next={list.data?.next ?? undefined} label={deliveries.pages} list="webhooks-list" />
      {opened && (
        <DeliveryDetail message={opened} onClose={() => setOpenId(undefined)} onAgain={() => again.run(opened.id)} />
      )}
    </Card>
  );
};

/** Has a message sent again, and looks a little later what became of it. */
const useAgain = (reload: () => Promise<void>) => {
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    const timer = looks === 0 ? undefined : setTimeout(reload, LOOK_MS);
    return () => clearTimeout(timer);
  }, [looks]);
  return useAction(async (id: string) => {
    await api.post(`webhooks/${id}/redeliver`);
    announce(texts.value.webhooks.deliveries.sentAgain);
    await reload();
    setLooks(looks + 1);
  });
};

interface DeliveryTableProps {
  readonly messages: readonly Delivery[];
  readonly onAgain: (message: Delivery) => unknown;
  readonly onOpen: (message: Delivery) => void;
}

const DeliveryTable = ({ messages, onAgain, onOpen }: DeliveryTableProps) => {
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
            <td class="acts">
              <Button kind="quiet" aria-label={deliveries.detailsOf(message.id)} onClick={() => onOpen(message)}>
                {deliveries.details}
              </Button>
              <Button kind="quiet" aria-label={deliveries.againOf(message.id)} onClick={() => onAgain(message)}>
                {deliveries.again}
              </Button>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
};
