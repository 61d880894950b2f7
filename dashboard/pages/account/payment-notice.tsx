import { useEffect, useState } from "preact/hooks";
import { useSearch } from "wouter-preact";
import { account, loadSession } from "../../session.ts";
import { texts } from "../../text.ts";
import { Notice } from "../../ui/notice.tsx";

/** The payment service tells of a payment within seconds; the page asks for a minute whether it has. */
const AGAIN_MS = 3_000;
const ASKED_MAX = 20;

/** For who comes back from paying: whether the payment has arrived. */
export const PaymentNotice = () => {
  const { account: text, plans } = texts.value;
  const hasPaid = new URLSearchParams(useSearch()).get("paid") === "1";
  const plan = account.value?.plan ?? "free";
  const [asked, setAsked] = useState(0);
  const waits = hasPaid && plan === "free" && asked < ASKED_MAX;
  // Asks again when an answer has come that changed nothing.
  useEffect(() => {
    if (!waits) {
      return;
    }
    const timer = setTimeout(() => void loadSession().finally(() => setAsked(asked + 1)), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [waits, asked]);
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
