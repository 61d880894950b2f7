/** Texts of the plans page. */
export const plans = {
  title: "Plans",
  lead: "Start for free. Change plans anytime.",
  firstLead: "Welcome! Choose a plan to get started. Free costs nothing, and you can change plans anytime.",
  names: { free: "Free", api: "API", enterprise: "Enterprise", unlimited: "Unlimited" },
  price: (euros: number) => `€${euros}`,
  perMonth: "per month",
  custom: "Custom",
  requests: (count: string) => `${count} requests per month`,
  customRequests: "As many requests as you need",
  features: {
    free: ["All formats and options", "Files up to 500\u00a0MB, videos up to 5\u00a0GB", "API keys and webhooks"],
    api: ["Everything in Free", "Enough for daily automated conversions", "Cancel anytime"],
    enterprise: ["Everything in API", "No rate limit", "Custom terms and invoicing"],
  },
  unlimitedNotice:
    "Your plan is Unlimited: no monthly limit and no rate limit. Only the operator of this service can change it.",
  countsWhat:
    "A conversion by one call counts as one request; upload, convert and download as separate calls count as one each; downloads are never refused.",
  current: "Current plan",
  requested: "Requested",
  choose: { free: "Start for free", api: "Choose API", enterprise: "Request Enterprise" },
  change: { free: "Switch to Free", api: "Switch to API", enterprise: "Request Enterprise" },
  withdraw: "Withdraw request",
  requestedNotice: (plan: string, date: string) =>
    `You requested the ${plan} plan on ${date}. The operator of this service replies by email. Your current plan stays active until then.`,
  goOn: "Continue to API keys",
  requestSent: (plan: string) => `Request for the ${plan} plan sent.`,
  active: (plan: string) => `You are now on the ${plan} plan.`,
  requestTitle: (plan: string) => `Request ${plan}`,
  requestApi: "You do not pay here: the operator of this service activates the plan and explains how to pay.",
  requestEnterprise: "Tell the operator of this service what you need. You get a reply by email.",
  note: "Message to the operator",
  noteHint: "For example, how many requests per month, or by when.",
  sendRequest: "Send request",
  downTitle: "Switch to Free?",
  down: (count: string) => `Your quota becomes ${count} requests per month, effective immediately.`,
  downPaid:
    "You cancel the subscription on the payment provider's page, which opens next. Your plan stays active until the end of the paid period.",
  goToPayment: "Continue to payment provider",
};
