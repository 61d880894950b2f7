import { duration, exactTime } from "../../format.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts, Table } from "../../ui/parts.tsx";
import { type Delivery, DeliveryState } from "./delivery-state.tsx";

export interface DeliveryDetailProps {
  readonly message: Delivery;
  readonly onClose: () => void;
  readonly onResend: () => unknown;
}

/** A message with all its attempts. */
export const DeliveryDetail = ({ message, onClose, onResend }: DeliveryDetailProps) => {
  const { deliveries } = texts.value.webhooks;
  return (
    <Dialog
      title={deliveries.types[message.type]}
      onClose={onClose}
      actions={<Button onClick={onResend}>{deliveries.resend}</Button>}
    >
      <Facts
        facts={[
          [deliveries.state, <DeliveryState key="state" message={message} />],
          [deliveries.to, message.url],
          [deliveries.event, <code key="event">{message.type}</code>],
          ...jobOf(message),
          [deliveries.id, <code key="id">{message.id}</code>],
        ]}
      />
      <h3>{deliveries.tried}</h3>
      {message.attempts.length === 0 ? <p class="muted">{deliveries.noneTried}</p> : <Attempts of={message} />}
    </Dialog>
  );
};

/** Messages about the quota have no job. */
const jobOf = ({ type, job_id }: Delivery) =>
  type.startsWith("quota.") ? [] : [[texts.value.webhooks.deliveries.job, <code key="job">{job_id}</code>] as const];

const Attempts = ({ of: { attempts } }: { readonly of: Delivery }) => {
  const { deliveries } = texts.value.webhooks;
  return (
    <Table caption={deliveries.tried} head={[deliveries.at, deliveries.outcome, deliveries.duration]}>
      {attempts.toReversed().map(({ at, status, error, duration_ms }) => (
        <tr key={at}>
          <td>{exactTime(at)}</td>
          <td class="webhooks-outcome">
            {/* The connection error, in the service's words. */}
            {status === null ? <span lang="en">{error}</span> : deliveries.httpStatus(status)}
          </td>
          <td>{duration(duration_ms)}</td>
        </tr>
      ))}
    </Table>
  );
};
