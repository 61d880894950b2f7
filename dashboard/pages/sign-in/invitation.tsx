import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { enter, type SessionState } from "../../session.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/parts.tsx";

const CODE_CHARACTERS_MAX = 200;

/** @returns the code in the fragment of the address, which browsers do not send to servers; undefined: no invitation */
export const invitationIn = ({ hash }: Pick<Location, "hash">): string | undefined =>
  new URLSearchParams(hash.slice(1)).get("invitation") ?? undefined;

interface InvitationProps {
  /** The code of the address. */
  readonly code: string;
  readonly onClose: () => void;
}

/** Joins the account of an invitation. Nothing happens before the button is pressed. */
export const Invitation = ({ code: given, onClose }: InvitationProps) => {
  const { signIn } = texts.value;
  const [code, setCode] = useState(given);
  const join = useAction(async () => {
    enter(await api.post<SessionState>("session/invitation", { code: code.trim() }));
    history.replaceState(null, "", location.pathname);
    onClose();
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    void join.run();
  };
  return (
    <section class="card">
      <PageHead title={signIn.invitation} lead={signIn.invitationLead} />
      <form class="sign-in-form" onSubmit={submit}>
        <TextField
          label={signIn.invitationCode}
          autocomplete="off"
          maxLength={CODE_CHARACTERS_MAX}
          required
          value={code}
          onText={setCode}
        />
        {join.problem !== undefined && <ProblemNotice error={join.problem} />}
        <Button kind="primary" type="submit">
          {signIn.join}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {signIn.withoutInvitation}
        </Button>
      </form>
    </section>
  );
};
