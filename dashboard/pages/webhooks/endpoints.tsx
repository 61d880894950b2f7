import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api.ts";
import { duration } from "../../format.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { toast } from "../../ui/live.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Badge, Card, Empty, Table } from "../../ui/parts.tsx";
import { ProblemInView } from "../../ui/problem-in-view.tsx";
import type { Remote } from "../../ui/remote.ts";
import { EndpointDialog } from "./endpoint-dialog.tsx";

export type Endpoint = Schemas["WebhookEndpoint"];

/** The endpoints of the account, read once for all parts of the page. */
export type Endpoints = Remote<Schemas["WebhookEndpointList"]>;

type Open =
  | { readonly action: "add" }
  | { readonly action: "delete" | "edit"; readonly endpoint: Endpoint }
  | undefined;

/** Endpoints with chosen events, in addition to the webhook URL. */
export const EndpointsCard = ({ endpoints }: { readonly endpoints: Endpoints }) => {
  const { endpoints: words } = texts.value.webhooks;
  const [open, setOpen] = useState<Open>();
  const [test, setTest] = useState<TestOutcome>();
  const testing = useAction(async (endpoint: Endpoint) => setTest(await testEndpoint(endpoint)));
  const listed = endpoints.data?.endpoints.filter(({ id }) => id !== "default");
  const done = (): void => {
    setOpen(undefined);
    void endpoints.reload();
  };
  return (
    <Card
      title={words.title}
      actions={
        <Button onClick={() => setOpen({ action: "add" })}>
          <Icon name="link" /> {words.add}
        </Button>
      }
    >
      <p class="muted">{words.lead}</p>
      <ProblemInView error={testing.problem} />
      <Loaded
        of={{ ...endpoints, data: listed }}
        isEmpty={({ length }) => length === 0}
        empty={<Empty>{words.none}</Empty>}
      >
        {(found) => (
          <EndpointTable
            endpoints={found}
            onTest={(endpoint) => void testing.run(endpoint)}
            onOpen={(action, endpoint) => setOpen({ action, endpoint })}
          />
        )}
      </Loaded>
      {test && testing.problem === undefined && <TestNotice outcome={test} />}
      {(open?.action === "add" || open?.action === "edit") && (
        <EndpointDialog
          {...(open.action === "edit" && { of: open.endpoint })}
          onClose={() => setOpen(undefined)}
          onDone={done}
          onChange={endpoints.reload}
        />
      )}
      {open?.action === "delete" && (
        <DeleteDialog of={open.endpoint} onClose={() => setOpen(undefined)} onDone={done} />
      )}
    </Card>
  );
};

export interface TestOutcome {
  readonly url: string;
  readonly result: Schemas["WebhookTest"];
}

/** @throws ApiProblem */
export const testEndpoint = async ({ id, url }: Pick<Endpoint, "id" | "url">): Promise<TestOutcome> => ({
  url,
  result: await api.post<Schemas["WebhookTest"]>(`webhook-endpoints/${id}/test`),
});

/** How an endpoint responded to a test message. */
export const TestNotice = ({ outcome: { url, result } }: { readonly outcome: TestOutcome }) => {
  const { endpoints: words, deliveries } = texts.value.webhooks;
  const { delivered, status, error, duration_ms } = result;
  const time = duration(duration_ms);
  return (
    <Notice kind={delivered ? "good" : "bad"}>
      <p class="webhooks-test">
        {delivered ? words.testDelivered(url, time) : words.testFailed(url, time)}{" "}
        {/* The connection error, in the service's words. */}
        {status === null ? <span lang="en">{error}</span> : `${deliveries.httpStatus(status)}.`}
      </p>
    </Notice>
  );
};

interface EndpointTableProps {
  readonly endpoints: readonly Endpoint[];
  readonly onTest: (endpoint: Endpoint) => void;
  readonly onOpen: (action: "delete" | "edit", endpoint: Endpoint) => void;
}

const EndpointTable = ({ endpoints, onTest, onOpen }: EndpointTableProps) => {
  const { endpoints: words } = texts.value.webhooks;
  return (
    <div class="stacked">
      <Table
        caption={words.title}
        head={[words.url, words.events, words.state, <span class="hidden">{words.actions}</span>]}
      >
        {endpoints.map((endpoint) => (
          <tr key={endpoint.id}>
            <th scope="row" class="webhooks-endpoint">
              {endpoint.url}
              {endpoint.description !== null && <small class="hint">{endpoint.description}</small>}
            </th>
            <td data-label={words.events}>{eventsOf(endpoint)}</td>
            <td data-label={words.state}>
              <Badge tone={endpoint.enabled ? "good" : "neutral"}>
                {endpoint.enabled ? words.enabled : words.disabled}
              </Badge>
            </td>
            <td class="row-actions">
              <Button kind="quiet" aria-label={words.testOf(endpoint.url)} onClick={() => onTest(endpoint)}>
                {words.test}
              </Button>
              <Button kind="quiet" aria-label={words.editOf(endpoint.url)} onClick={() => onOpen("edit", endpoint)}>
                {words.edit}
              </Button>
              <Button kind="quiet" aria-label={words.deleteOf(endpoint.url)} onClick={() => onOpen("delete", endpoint)}>
                {words.delete}
              </Button>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
};

const eventsOf = ({ events }: Endpoint): string => {
  const { endpoints: words, deliveries } = texts.value.webhooks;
  const count = Object.keys(deliveries.types).length;
  return events.length === count ? words.allEvents : events.map((type) => deliveries.types[type]).join(", ");
};

interface DeleteDialogProps {
  readonly of: Endpoint;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const DeleteDialog = ({ of: { id, url }, onClose, onDone }: DeleteDialogProps) => {
  const { endpoints: words } = texts.value.webhooks;
  const remove = async (): Promise<void> => {
    await api.remove(`webhook-endpoints/${id}`);
    toast(words.deleted);
    onDone();
  };
  return (
    <Confirm title={words.deleteTitle} action={words.deleteAction} onConfirm={remove} onClose={onClose}>
      <p class="webhooks-test">{words.deleteLead(url)}</p>
    </Confirm>
  );
};
