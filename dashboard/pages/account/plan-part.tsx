import { Link } from "wouter-preact";
import { api, type Schemas } from "../../api.ts";
import { date, number } from "../../format.ts";
import { leaveTo } from "../../leave.ts";
import { type AccountState, account, role, session } from "../../session.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { Badge, Card, Facts } from "../../ui/parts.tsx";
import { type Remote, useRemote } from "../../ui/remote.ts";

/** The account's email address, plan and billing. */
export const PlanPart = () => {
  const { account: text, plans } = texts.value;
  const state = account.value;
  const usage = useRemote(() => api.get<Schemas["Account"]>("account"), [state?.plan]);
  const billing = useAction(async () => leaveTo((await api.post<Schemas["BillingPage"]>("session/billing")).url));
  if (state === null) {
    return null;
  }
  return (
    <Card
      title={text.plan}
      actions={
        role.value !== "developer" && (
          <div class="actions">
            <Link href="/plans" class="button">
              {text.changePlan}
            </Link>
            {state.billing !== null && session.value.offers.payments && (
              <Button onClick={billing.run}>{text.openBilling}</Button>
            )}
          </div>
        )
      }
    >
      {state.billing?.status === "past_due" && <Notice kind="warning">{text.pastDue}</Notice>}
      {billing.problem !== undefined && <ProblemNotice error={billing.problem} />}
      <Facts
        facts={[
          [text.email, state.email ?? ""],
          [text.plan, <Badge tone="good">{plans.names[state.plan]}</Badge>],
          ...requested(state),
          [text.requests, <RequestsRead key="requests" of={usage} />],
          ...(state.billing === null ? [] : ([[text.billing, <Billing billing={state.billing} />]] as const)),
        ]}
      />
    </Card>
  );
};

const requested = ({ requested_plan }: AccountState) => {
  const { account: text, plans } = texts.value;
  return requested_plan === null
    ? []
    : ([[text.requestedName, text.requested(plans.names[requested_plan.plan], date(requested_plan.at))]] as const);
};

/** The usage page shows its errors, and how to try again. */
const RequestsRead = ({ of: { data, error } }: { readonly of: Remote<Schemas["Account"]> }) => {
  if (data !== undefined) {
    return <Requests account={data} />;
  }
  return error === undefined ? <>…</> : <Link href="/usage">{texts.value.account.viewUsage}</Link>;
};

const Requests = ({ account: { quota } }: { readonly account: Schemas["Account"] }) => {
  const { account: text } = texts.value;
  return (
    <>
      {quota.limit === null
        ? text.requestsUnlimited(number(quota.used))
        : text.requestsOf(number(quota.used), number(quota.limit))}{" "}
      · <Link href="/usage">{text.viewUsage}</Link>
    </>
  );
};

const tones = { active: "good", past_due: "warning", ended: "neutral" } as const;

const Billing = ({ billing }: { readonly billing: NonNullable<AccountState["billing"]> }) => {
  const { account: text } = texts.value;
  return (
    <>
      <Badge tone={tones[billing.status]}>{text.billingStates[billing.status]}</Badge> {billingWords(billing)}
    </>
  );
};

const billingWords = ({ status, paid_until, ends_then }: NonNullable<AccountState["billing"]>): string => {
  const { account: text } = texts.value;
  if (status === "ended") {
    return text.endedOn;
  }
  if (paid_until === null || status === "past_due") {
    return "";
  }
  return ends_then ? text.endsOn(date(paid_until)) : text.paidUntil(date(paid_until));
};
