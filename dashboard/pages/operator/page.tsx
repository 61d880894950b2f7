import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { announce } from "../../ui/live.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { Card, PageHead } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { AccountList } from "./account-list.tsx";
import { AccountTable } from "./account-table.tsx";
import { PlanDialog } from "./plan-dialog.tsx";
import { ServiceState } from "./service-state.tsx";

export type OperatedAccount = Schemas["OperatedAccount"];

/** Accounts, queues and failures, for the operators of the service. */
export const OperatorPage = () => {
  const { operator: text } = texts.value;
  const overview = useRemote(() => api.get<Schemas["OperatorOverview"]>("session/operator"));
  const [changes, setChanges] = useState(0);
  const [changing, setChanging] = useState<OperatedAccount | undefined>(undefined);
  const requests = useRemote(
    () => api.get<Schemas["OperatedAccountList"]>("session/operator/accounts?requested=true"),
    [changes],
  );
  const [problem, setProblem] = useState<unknown>(undefined);
  const changed = (message: string): void => {
    setChanging(undefined);
    setProblem(undefined);
    setChanges((count) => count + 1);
    announce(message);
  };
  const decline = async ({ id, email }: OperatedAccount): Promise<void> => {
    try {
      await api.post(`session/operator/accounts/${id}/plan`, { plan: null });
      changed(text.declined(email));
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      {problem !== undefined && <ProblemNotice error={problem} />}
      <Card title={text.requests}>
        <Loaded of={requests} isEmpty={({ accounts }) => accounts.length === 0} empty={<p>{text.noRequests}</p>}>
          {({ accounts }) => (
            <AccountTable caption={text.requests} accounts={accounts} onChange={setChanging} onDecline={decline} />
          )}
        </Loaded>
      </Card>
      <AccountList changes={changes} onChange={setChanging} />
      <Loaded of={overview}>{(data) => <ServiceState overview={data} />}</Loaded>
      {changing !== undefined && (
        <PlanDialog
          account={changing}
          onChanged={() => changed(text.approved(changing.email))}
          onClose={() => setChanging(undefined)}
        />
      )}
    </>
  );
};
