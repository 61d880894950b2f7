import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { ApiProblem, api, type Schemas } from "../../api.ts";
import { loadSession } from "../../session.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { announce } from "../../ui/live.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";

/** Requests until an account with very many jobs is deleted: each deletes thousands of them. */
const REQUESTS_MAX = 1_000;

/** Asks for the address of the account, so that nobody deletes it by mistake, and deletes it. */
export const DeleteAccount = ({ email, onClose }: { readonly email: string; readonly onClose: () => void }) => {
  const { account: text, common } = texts.value;
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [, navigate] = useLocation();
  const deleting = useAction(async () => {
    await deleteAll();
    await loadSession();
    navigate("/");
    announce(text.accountDeleted);
  });
  const isSame = typed.trim().toLowerCase() === email.toLowerCase();
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!busy && isSame) {
      setBusy(true);
      await deleting.run();
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={text.deleteAccountTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="danger" type="submit" form="account-delete" busy={busy} disabled={!isSame}>
            {text.deleteAccount}
          </Button>
        </>
      }
    >
      <form id="account-delete" class="account-form" onSubmit={(event) => void submit(event)}>
        <p>{text.deleteAccountWhat}</p>
        <TextField
          label={text.typeAddress(email)}
          name="confirmation"
          autocomplete="off"
          required
          value={typed}
          onText={setTyped}
        />
        {deleting.problem !== undefined && <ProblemNotice error={deleting.problem} />}
      </form>
    </Dialog>
  );
};

/** @throws ApiProblem */
const deleteAll = async (): Promise<void> => {
  for (let requests = 0; requests < REQUESTS_MAX; requests += 1) {
    if ((await api.remove<Schemas["AccountDeletion"] | undefined>("session/account")) === undefined) {
      return;
    }
  }
  throw new ApiProblem({ detail: "The account was not deleted completely." });
};
