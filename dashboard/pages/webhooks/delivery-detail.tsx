import { duration, exactTime } from "../../format.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Table } from "../../ui/parts.tsx";
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
      <dl class="webhooks-facts">
        <dt>{deliveries.state}</dt>
        <dd>
          <DeliveryState message={message} />
        </dd>
        <dt>{deliveries.to}</dt>
        <dd>{message.url}</dd>
        <dt>{deliveries.event}</dt>
        <dd>
          <code>{message.type}</code>
        </dd>
        {!message.type.startsWith("quota.") && (
          <>
            <dt>{deliveries.job}</dt>
            <dd>
              <code>{message.job_id}</code>
            </dd>
          </>
        )}
        <dt>{deliveries.id}</dt>
        <dd>
          <code>{message.id}</code>
        </dd>
      </dl>
      <h3>{deliveries.tried}</h3>
      {message.attempts.length === 0 ? <p class="muted">{deliveries.noneTried}</p> : <Attempts of={message} />}
    </Dialog>
  );
};

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
