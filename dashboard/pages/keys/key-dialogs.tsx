import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api.ts";
import { forgetKey, keepKey } from "../../fresh-key.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/field.tsx";
import { toast } from "../../ui/live.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import type { Key } from "./key-state.ts";
import { type LimitErrors, LimitFields, type LimitTexts, limitErrors, limitsOf } from "./limit-fields.tsx";

export interface KeyDialogProps {
  readonly of: Key;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Choices for how many hours the old key stays valid; the service accepts up to a week. */
const OVERLAPS = [0, 1, 24, 72, 168] as const;
const OVERLAP_DEFAULT = 24;

/** Replaces a key with a new one; the old key stays valid for a while. */
export const RotateDialog = ({ of: key, onClose, onDone }: KeyDialogProps) => {
  const { keys, common } = texts.value;
  const [hours, setHours] = useState<number>(OVERLAP_DEFAULT);
  const rotating = useAction(async () => {
    keepKey(await api.post<Schemas["NewKey"]>(`keys/${key.id}/rotate`, { overlap_hours: hours }));
    toast(keys.fresh.announced);
  });
  const rotate = async (): Promise<void> => {
    if (await rotating.run()) {
      onDone();
    }
  };
  return (
    <Dialog
      title={keys.rotation.title(key.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" onClick={rotate}>
            {keys.rotation.action}
          </Button>
        </>
      }
    >
      <p>{keys.rotation.lead}</p>
      <SelectField
        label={keys.rotation.overlap}
        choices={OVERLAPS.map((each) => [String(each), overlapText(each)] as const)}
        value={String(hours)}
        onChoice={(value) => setHours(Number(value))}
      />
      {rotating.problem !== undefined && <ProblemNotice error={rotating.problem} />}
    </Dialog>
  );
};

const overlapText = (hours: number): string => {
  const { rotation } = texts.value.keys;
  if (hours === 0) {
    return rotation.atOnce;
  }
  return hours % 24 === 0 ? rotation.inDays(hours / 24) : rotation.inHours(hours);
};

/** Asks for confirmation, then revokes a key. */
export const RevokeDialog = ({ of: key, onClose, onDone }: KeyDialogProps) => {
  const { keys } = texts.value;
  const revoke = async (): Promise<void> => {
    await api.remove(`keys/${key.id}`);
    forgetKey(key.prefix);
    toast(keys.revocation.done(key.name));
    onDone();
  };
  return (
    <Confirm
      title={keys.revocation.title(key.name)}
      action={keys.revocation.action(key.name)}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>{keys.revocation.lead(key.prefix)}</p>
    </Confirm>
  );
};

/** Changes the limits of a key, from its next request on. */
export const LimitsDialog = ({ of: key, onClose, onDone }: KeyDialogProps) => {
  const { keys, common } = texts.value;
  const [limits, setLimits] = useState<LimitTexts>({
    monthlyLimit: key.monthly_limit === null ? "" : String(key.monthly_limit),
    origins: (key.allowed_origins ?? []).join("\n"),
  });
  const [errors, setErrors] = useState<LimitErrors>({});
  const saving = useAction(async () => {
    await api.post(`keys/${key.id}`, limitsOf(limits));
    toast(keys.limits.saved);
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const found = limitErrors(limits);
    setErrors(found);
    if (Object.keys(found).length === 0 && (await saving.run())) {
      onDone();
    }
  };
  return (
    <Dialog
      title={keys.limits.of(key.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="keys-limits">
            {keys.limits.save}
          </Button>
        </>
      }
    >
      <form id="keys-limits" class="keys-form" noValidate onSubmit={submit}>
        <LimitFields
          value={limits}
          errors={errors}
          problem={saving.problem}
          onChange={(part) => setLimits({ ...limits, ...part })}
        />
        {saving.problem !== undefined && <ProblemNotice error={saving.problem} />}
      </form>
    </Dialog>
  );
};
