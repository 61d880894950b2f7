import { useEffect, useState } from "preact/hooks";
import { useSearch } from "wouter-preact";
import { account, loadSession } from "../../session.ts";
import { texts } from "../../text.ts";
import { Notice } from "../../ui/notice.tsx";

/** The payment provider reports a payment within seconds; the page polls for it for one minute. */
const POLL_MS = 3_000;
const POLLS_MAX = 20;

/** Shown after returning from the payment page: whether the payment has arrived. */
export const PaymentNotice = () => {
  const { account: text, plans } = texts.value;
  const hasPaid = new URLSearchParams(useSearch()).get("paid") === "1";
  const plan = account.value?.plan ?? "free";
  const [polls, setPolls] = useState(0);
  const waits = hasPaid && plan === "free" && polls < POLLS_MAX;
  // Polls again after a response without a change.
  useEffect(() => {
    if (!waits) {
      return;
    }
    const timer = setTimeout(() => void loadSession().finally(() => setPolls(polls + 1)), POLL_MS);
    return () => clearTimeout(timer);
  }, [waits, polls]);
  if (!hasPaid) {
    return null;
  }
  if (plan === "free") {
    return <Notice kind={waits ? "info" : "warning"}>{waits ? text.paying : text.payingSlow}</Notice>;
  }
  return (
    <Notice kind="good">
      <p>
        <strong>{text.paidTitle}</strong> {text.paid(plans.names[plan])}
      </p>
    </Notice>
  );
};
