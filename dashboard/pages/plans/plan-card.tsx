import { Link } from "wouter-preact";
import { number } from "../../format.ts";
import { planOffers } from "../../offers.ts";
import { account, isMember, role } from "../../session.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Badge } from "../../ui/parts.tsx";
import type { PlanId } from "./choice.ts";

export interface PlanCardProps {
  readonly id: PlanId;
  readonly onChoose: () => unknown;
}

export const PlanCard = ({ id, onChoose }: PlanCardProps) => {
  const { plans } = texts.value;
  const state = isMember.value ? account.value : null;
  const isCurrent = state?.plan === id && state.plan_picked;
  const mayChoose = role.value !== "developer";
  const isRequested = state?.requested_plan?.plan === id;
  return (
    <li class={isCurrent ? "card plans-card plans-current" : "card plans-card"}>
      <header>
        <h2>{plans.names[id]}</h2>
        {isCurrent && <Badge tone="good">{plans.current}</Badge>}
        {isRequested && <Badge tone="busy">{plans.requested}</Badge>}
      </header>
      <Price id={id} />
      <ul class="plans-features">
        <li>
          <Icon name="check" /> <strong>{requests(id)}</strong>
        </li>
        {plans.features[id].map((feature) => (
          <li key={feature}>
            <Icon name="check" /> <span>{feature}</span>
          </li>
        ))}
      </ul>
      {!isCurrent && !isRequested && state?.plan !== "unlimited" && mayChoose && <Choose id={id} onChoose={onChoose} />}
    </li>
  );
};

const requests = (id: PlanId): string => {
  const { plans } = texts.value;
  return id === "enterprise" ? plans.customRequests : plans.requests(number(planOffers[id].requestsPerMonth));
};

const Price = ({ id }: { readonly id: PlanId }) => {
  const { plans } = texts.value;
  if (id === "enterprise") {
    return <p class="plans-price">{plans.custom}</p>;
  }
  return (
    <p class="plans-price">
      {plans.price(planOffers[id].eurosPerMonth)} <small>{plans.perMonth}</small>
    </p>
  );
};

/** Guests sign in first and then return to this page. */
const Choose = ({ id, onChoose }: PlanCardProps) => {
  const { plans } = texts.value;
  const kind = id === "free" ? "primary" : "plain";
  if (!isMember.value) {
    return (
      <Link href="/sign-in?next=/plans" class={`button ${kind}`}>
        {plans.choose[id]}
      </Link>
    );
  }
  const isFirst = account.value?.plan_picked === false;
  return (
    <Button kind={isFirst ? kind : "plain"} onClick={onChoose}>
      {(isFirst ? plans.choose : plans.change)[id]}
    </Button>
  );
};
