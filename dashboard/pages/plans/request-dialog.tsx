import { useState } from "preact/hooks";
import { PLAN_NOTE_CHARACTERS_MAX } from "../../offers.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import type { PlanId } from "./choice.ts";

export interface RequestDialogProps {
  readonly id: Exclude<PlanId, "free">;
  readonly problem: unknown;
  readonly onRequest: (note: string) => unknown;
  readonly onClose: () => void;
}

/** Sends a plan request to the operator, with a message. */
export const RequestDialog = ({ id, problem, onRequest, onClose }: RequestDialogProps) => {
  const { plans, common } = texts.value;
  const [note, setNote] = useState("");
  return (
    <Dialog
      title={plans.requestTitle(plans.names[id])}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" onClick={() => onRequest(note.trim())}>
            {plans.sendRequest}
          </Button>
        </>
      }
    >
      <p>{id === "api" ? plans.requestApi : plans.requestEnterprise}</p>
      <Field label={`${plans.note} (${common.optional})`} hint={plans.noteHint}>
        {(attributes) => (
          <textarea
            {...attributes}
            rows={4}
            maxLength={PLAN_NOTE_CHARACTERS_MAX}
            value={note}
            onInput={({ currentTarget }) => setNote(currentTarget.value)}
          />
        )}
      </Field>
      {problem !== undefined && <ProblemNotice error={problem} />}
    </Dialog>
  );
};
