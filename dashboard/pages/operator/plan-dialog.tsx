import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import type { OperatedAccount } from "./page.tsx";

export interface PlanDialogProps {
  readonly account: OperatedAccount;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Changes the plan of an account; the requested plan is selected first. */
export const PlanDialog = ({ account, onChanged, onClose }: PlanDialogProps) => {
  const { operator: text, plans, common } = texts.value;
  const [plan, setPlan] = useState<OperatedAccount["plan"]>(account.requested_plan?.plan ?? account.plan);
  const [quota, setQuota] = useState("");
  const [problem, setProblem] = useState<unknown>(undefined);
  const save = async (): Promise<void> => {
    try {
      await api.post(`session/operator/accounts/${account.id}/plan`, {
        plan,
        ...(quota.trim() !== "" && { requests_per_month: Number(quota) }),
      });
      onChanged();
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <Dialog
      title={text.changeOf(account.email)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" onClick={save}>
            {text.change}
          </Button>
        </>
      }
    >
      <Field label={text.plan}>
        {(attributes) => (
          <select
            {...attributes}
            value={plan}
            onChange={({ currentTarget }) => setPlan(currentTarget.value as OperatedAccount["plan"])}
          >
            {Object.entries(plans.names).map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField
        label={text.quota}
        hint={text.quotaHint}
        type="number"
        min={1}
        inputMode="numeric"
        value={quota}
        onText={setQuota}
      />
      {problem !== undefined && <ProblemNotice error={problem} />}
    </Dialog>
  );
};
