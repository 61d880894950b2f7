import { useState } from "preact/hooks";
import { Link, useLocation, useSearch } from "wouter-preact";
import { date, number } from "../../format.ts";
import { afterFirstPlan, ownPath } from "../../next.ts";
import { planOffers } from "../../offers.ts";
import { account, isMember } from "../../session.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { toast } from "../../ui/live.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/parts.tsx";
import { choosePlan, nextAfterChoice, type PlanChoice, type PlanId, planSteps } from "./choice.ts";
import { PlanCard } from "./plan-card.tsx";
import { RequestDialog } from "./request-dialog.tsx";
import "./plans.css";

const ids: readonly PlanId[] = ["free", "api", "enterprise"];

/** The plans, with the current one marked. Everybody may see them; new accounts choose their first plan here. */
export const PlansPage = () => {
  const { plans } = texts.value;
  const isFirst = isMember.value && account.value?.plan_picked === false;
  const { choose, question, answer, close, outcome, problem } = usePlanChoice();
  return (
    <div class="plans">
      <PageHead title={plans.title} lead={isFirst ? plans.firstLead : plans.lead} />
      {problem !== undefined && question === undefined && <ProblemNotice error={problem} />}
      {outcome !== undefined && <Notice kind="good">{outcome}</Notice>}
      {isMember.value && account.value?.plan === "unlimited" && <Notice kind="info">{plans.unlimitedNotice}</Notice>}
      <RequestNotice onWithdraw={() => answer("free")} />
      <ul class="plans-list">
        {ids.map((id) => (
          <PlanCard key={id} id={id} onChoose={() => choose(id)} />
        ))}
      </ul>
      <p class="muted">{plans.countsWhat}</p>
      {question === "free" && <Downgrade problem={problem} onConfirm={() => answer("free")} onClose={close} />}
      {question !== undefined && question !== "free" && (
        <RequestDialog id={question} problem={problem} onRequest={(note) => answer(question, note)} onClose={close} />
      )}
    </div>
  );
};

/** Changes the plan: the dialog before it, and the outcome. */
const usePlanChoice = () => {
  const { plans } = texts.value;
  const [, go] = useLocation();
  const next = ownPath(new URLSearchParams(useSearch()).get("next"));
  const [question, setQuestion] = useState<PlanId | undefined>(undefined);
  const [outcome, setOutcome] = useState<string | undefined>(undefined);
  const sending = useAction(async (id: PlanId, note?: string) => {
    const wasFirst = account.value?.plan_picked === false;
    const status = await choosePlan(id, note);
    setQuestion(undefined);
    const step = nextAfterChoice({ status, wasFirst });
    if (step === "firstKey") {
      go(afterFirstPlan(next));
    }
    if (step === "confirmed") {
      showOutcome(status, plans.names[id]);
    }
  });
  // A request has its own notice.
  const showOutcome = (status: PlanChoice["status"], name: string): void => {
    toast(status === "requested" ? plans.requestSent(name) : plans.active(name));
    setOutcome(status === "requested" ? undefined : plans.active(name));
  };
  const answer = async (id: PlanId, note?: string): Promise<void> => {
    setOutcome(undefined);
    await sending.run(id, note);
  };
  const choose = (id: PlanId): unknown => {
    sending.clear();
    return planSteps(id, account.value).needsConfirmation ? setQuestion(id) : answer(id);
  };
  return { choose, question, answer, close: () => setQuestion(undefined), outcome, problem: sending.problem };
};

/** The pending plan request, with a way to continue and to withdraw it. */
const RequestNotice = ({ onWithdraw }: { readonly onWithdraw: () => unknown }) => {
  const { plans } = texts.value;
  const state = account.value;
  if (state?.requested_plan == null) {
    return null;
  }
  const { plan, at } = state.requested_plan;
  return (
    <Notice kind="info">
      <p>{plans.requestedNotice(plans.names[plan], date(at))}</p>
      <div class="actions">
        <Link href="/keys?first=1" class="button">
          {plans.goOn}
        </Link>
        {state.plan === "free" && (
          <Button kind="quiet" onClick={onWithdraw}>
            {plans.withdraw}
          </Button>
        )}
      </div>
    </Notice>
  );
};

interface DowngradeProps {
  readonly problem: unknown;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

const Downgrade = ({ problem, onConfirm, onClose }: DowngradeProps) => {
  const { plans } = texts.value;
  const isPaid = planSteps("free", account.value).isPaid;
  return (
    <Confirm
      title={plans.downTitle}
      action={isPaid ? plans.goToPayment : plans.change.free}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{isPaid ? plans.downPaid : plans.down(number(planOffers.free.requestsPerMonth))}</p>
      {problem !== undefined && <ProblemNotice error={problem} />}
    </Confirm>
  );
};
