import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { RETENTION_HOURS } from "../../offers.ts";
import { type AccountState, account, accountChanged } from "../../session.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { CheckField, SelectField } from "../../ui/field.tsx";
import { toast } from "../../ui/live.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { Card } from "../../ui/parts.tsx";

/** The settings for file retention and emails about the quota; a change is saved immediately. */
export const RetentionPart = () => {
  const { account: text } = texts.value;
  const hours = account.value?.retention_hours ?? 0;
  const [saved, setSaved] = useState(false);
  const saving = useAction(async (next: { readonly retention_hours: number } | { readonly quota_mails: boolean }) => {
    setSaved(false);
    accountChanged(await api.post<AccountState>("session/account", next));
    setSaved("retention_hours" in next);
    if ("quota_mails" in next) {
      toast(text.quotaMailsSaved);
    }
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
          onChoice={(value) => void saving.run({ retention_hours: Number(value) })}
        />
        {saved && <Notice kind="good">{text.retentionSaved}</Notice>}
        <CheckField
          label={text.quotaMails}
          hint={text.quotaMailsHint}
          checked={account.value?.quota_mails ?? true}
          onCheck={(quota_mails) => void saving.run({ quota_mails })}
        />
        {saving.problem !== undefined && <ProblemNotice error={saving.problem} />}
      </div>
    </Card>
  );
};
