import { api, type Schemas } from "../../api.ts";
import { leaveTo } from "../../leave.ts";
import { type AccountState, loadSession, session } from "../../session.ts";

/** A plan that can be chosen; only the operator sets the unlimited one. */
export type PlanId = Exclude<AccountState["plan"], "unlimited">;

export type PlanChoice = Schemas["PlanChoice"];

/** @returns the outcome; for `payment`, the browser is already opening the payment page. @throws ApiProblem */
export const choosePlan = async (plan: PlanId, note = ""): Promise<PlanChoice["status"]> => {
  const { status, url } = await api.post<PlanChoice>("session/plan", { plan, ...(note !== "" && { note }) });
  if (url !== null) {
    leaveTo(url);
    return status;
  }
  await loadSession();
  return status;
};

/** @returns the next step: the first key, a confirmation on this page, or the payment page */
export const nextAfterChoice = ({
  status,
  wasFirst,
}: {
  readonly status: PlanChoice["status"];
  readonly wasFirst: boolean;
}): "firstKey" | "confirmed" | "redirected" => {
  if (status === "payment") {
    return "redirected";
  }
  return wasFirst && status === "active" ? "firstKey" : "confirmed";
};

type Choosing = Pick<AccountState, "billing" | "plan"> | null;

/** @returns whether the choice needs a dialog first, and whether there is a subscription that the payment provider must end */
export const planSteps = (
  id: PlanId,
  state: Choosing,
  hasPayments: boolean = session.peek().offers.payments,
): { readonly needsConfirmation: boolean; readonly isPaid: boolean } => {
  const isPaid = hasPayments && state?.billing != null && state.billing.status !== "ended";
  if (id === "free") {
    return { needsConfirmation: state !== null && state.plan !== "free", isPaid };
  }
  return { needsConfirmation: id === "enterprise" || !hasPayments || state?.plan === "enterprise", isPaid };
};
