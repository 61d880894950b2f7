import { api, type Schemas } from "../../api.ts";
import { leaveTo } from "../../leave.ts";
import { type AccountState, loadSession, session } from "../../session.ts";

export type PlanId = AccountState["plan"];

export type PlanChoice = Schemas["PlanChoice"];

/** @returns what came of it; the browser is on its way to the payment service when it is `payment`. @throws ApiProblem */
export const choosePlan = async (plan: PlanId, note = ""): Promise<PlanChoice["status"]> => {
  const { status, url } = await api.post<PlanChoice>("session/plan", { plan, ...(note !== "" && { note }) });
  if (url !== null) {
    leaveTo(url);
    return status;
  }
  await loadSession();
  return status;
};

/** @returns where it goes on: with the first key, here with a word, or at the payment service */
export const nextAfterChoice = ({
  status,
  wasFirst,
}: {
  readonly status: PlanChoice["status"];
  readonly wasFirst: boolean;
}): "first" | "told" | "left" => {
  if (status === "payment") {
    return "left";
  }
  return wasFirst && status === "active" ? "first" : "told";
};

type Choosing = Pick<AccountState, "billing" | "plan"> | null;

/** @returns what comes before the plan is chosen: a question, and whether the payment service ends what it has begun */
export const planSteps = (
  id: PlanId,
  state: Choosing,
  hasPayments: boolean = session.peek().offers.payments,
): { readonly asksFirst: boolean; readonly isPaid: boolean } => {
  const isPaid = hasPayments && state?.billing != null && state.billing.status !== "ended";
  if (id === "free") {
    return { asksFirst: state !== null && state.plan !== "free", isPaid };
  }
  return { asksFirst: id === "enterprise" || !hasPayments || state?.plan === "enterprise", isPaid };
};
