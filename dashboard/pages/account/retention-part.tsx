import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { RETENTION_HOURS } from "../../offers.ts";
import { type AccountState, account, accountChanged } from "../../session.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { SelectField } from "../../ui/field.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { Card } from "../../ui/parts.tsx";

/** The setting for file retention; a change is saved immediately. */
export const RetentionPart = () => {
  const { account: text } = texts.value;
  const hours = account.value?.retention_hours ?? 0;
  const [saved, setSaved] = useState(false);
  const saving = useAction(async (next: number) => {
    setSaved(false);
    accountChanged(await api.post<AccountState>("session/account", { retention_hours: next }));
    setSaved(true);
  });
  // An operator may have set a number that is not among the choices.
  const all = [...new Set<number>([...RETENTION_HOURS, hours])].sort((one, other) => one - other);
  return (
    <Card title={text.preferences}>
      <div class="account-form account-narrow">
        <SelectField
          label={text.retention}
          hint={text.retentionHint}
          choices={all.map((choice) => [String(choice), text.retentionHours(choice)] as const)}
          value={String(hours)}
          onChoice={(value) => void saving.run(Number(value))}
        />
        {saved && <Notice kind="good">{text.retentionSaved}</Notice>}
        {saving.problem !== undefined && <ProblemNotice error={saving.problem} />}
      </div>
    </Card>
  );
};
