import { role } from "../../session.ts";
import { texts } from "../../text.ts";
import { PageHead } from "../../ui/parts.tsx";
import { DataPart } from "./data-part.tsx";
import { Devices } from "./devices.tsx";
import { Members, Membership } from "./members.tsx";
import { Passkeys } from "./passkeys.tsx";
import { PaymentNotice } from "./payment-notice.tsx";
import { PlanPart } from "./plan-part.tsx";
import { RetentionPart } from "./retention-part.tsx";
import "../../ui/stacked.css";
import "./account.css";

/** The account: its plan, passkeys, sessions, members, and file retention. */
export const AccountPage = () => (
  <div class="account">
    <PageHead title={texts.value.account.title} />
    <PaymentNotice />
    <PlanPart />
    <Passkeys />
    <Devices />
    {role.value === "owner" ? <Members /> : <Membership />}
    {role.value !== "billing" && <RetentionPart />}
    {role.value === "owner" && <DataPart />}
  </div>
);
