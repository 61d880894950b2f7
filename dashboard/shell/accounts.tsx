import { useState } from "preact/hooks";
import { api, type Schemas } from "../api.ts";
import { enter, type SessionState } from "../session.ts";
import { texts } from "../text.ts";
import { useAction } from "../ui/action.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { ProblemNotice } from "../ui/notice.tsx";
import { useRemote } from "../ui/remote.ts";

/** The other accounts of the person, to switch to. Read when the menu is opened first; renders nothing without one. */
export const OtherAccounts = ({ onSwitched }: { readonly onSwitched: () => void }) => {
  const { shell, account: text } = texts.value;
  const [round, setRound] = useState(0);
  const list = useRemote(() => api.get<Schemas["AccountList"]>("session/accounts"), [round]);
  const change = useAction(async (id: string) => {
    enter(await api.post<SessionState>(`session/accounts/${id}`));
    setRound((before) => before + 1);
    onSwitched();
  });
  const others = list.data?.accounts.filter(({ current }) => !current) ?? [];
  if (others.length === 0) {
    return null;
  }
  return (
    <div class="owner-accounts">
      <p class="hint">{shell.switchTo}</p>
      {change.problem !== undefined && <ProblemNotice error={change.problem} />}
      {others.map(({ id, email, role }) => (
        <Button key={id} kind="quiet" onClick={() => change.run(id)}>
          <Icon name="account" /> {email} <small class="muted">{text.roles[role]}</small>
        </Button>
      ))}
    </div>
  );
};
