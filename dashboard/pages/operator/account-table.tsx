import { number } from "../../format.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Badge, Table } from "../../ui/parts.tsx";
import { Ago } from "../../ui/time.tsx";
import type { OperatedAccount } from "./page.tsx";

export interface AccountTableProps {
  readonly caption: string;
  readonly accounts: readonly OperatedAccount[];
  readonly onChange: (account: OperatedAccount) => void;
  /** Declines the request of an account. @default requests are not shown */
  readonly onDecline?: (account: OperatedAccount) => unknown;
}

/** Accounts with their plans and usage; with `onDecline`, with the plans that they request. */
export const AccountTable = ({ caption, accounts, onChange, onDecline }: AccountTableProps) => {
  const { operator: text, plans } = texts.value;
  const middle = onDecline ? [text.requested, text.message] : [text.created];
  return (
    <div class="stacked">
      <Table
        caption={caption}
        head={[text.email, text.plan, text.usage, ...middle, <span class="hidden">{text.actions}</span>]}
      >
        {accounts.map((account) => (
          <tr key={account.id}>
            <th scope="row">
              {account.email} {account.is_operator && <Badge>{text.operatorBadge}</Badge>}
            </th>
            <td data-label={text.plan}>{plans.names[account.plan]}</td>
            <td data-label={text.usage}>{usageOf(account)}</td>
            {onDecline ? (
              <Request of={account} />
            ) : (
              <td data-label={text.created}>
                <Ago at={account.created_at} />
              </td>
            )}
            <td class="row-actions">
              {onDecline && (
                <Button kind="quiet" onClick={() => onDecline(account)}>
                  {text.decline}
                </Button>
              )}{" "}
              <Button kind="quiet" onClick={() => onChange(account)}>
                {onDecline ? text.approve : text.change}
              </Button>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
};

const Request = ({ of: { requested_plan: request } }: { readonly of: OperatedAccount }) => {
  const { operator: text, plans } = texts.value;
  return (
    <>
      <td data-label={text.requested}>
        {request !== null && (
          <>
            {plans.names[request.plan]}, <Ago at={request.at} />
          </>
        )}
      </td>
      <td data-label={text.message}>{request?.note ?? text.unknown}</td>
    </>
  );
};

const usageOf = ({ used, requests_per_month: quota }: OperatedAccount): string =>
  texts.value.operator.used(number(used), quota === null ? undefined : number(quota));
