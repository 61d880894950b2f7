import { useEffect, useRef, useState } from "preact/hooks";
import { ApiProblem, api } from "../../api.ts";
import { time } from "../../format.ts";
import { enter, type SessionState } from "../../session.ts";
import { locale, texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { announce } from "../../ui/live.tsx";
import { ProblemNotice, problemText } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/parts.tsx";
import { SendingProblem } from "./address-form.tsx";
import { isOwnMachine } from "./owner-link.ts";
import { CODE_DIGITS, digitsOf, forgetCode, type SentCode, sendCode } from "./sent-code.ts";

export interface CodeFormProps {
  readonly sent: SentCode;
  /** Called when another code was sent. */
  readonly onSent: (sent: SentCode) => void;
  readonly onRestart: () => void;
}

/** Asks for the code, and submits it as soon as it has six digits. */
export const CodeForm = ({ sent, onSent, onRestart }: CodeFormProps) => {
  const { signIn } = texts.value;
  return (
    <section class="card">
      <PageHead title={signIn.codeTitle} lead={signIn.codeLead(sent.email)} />
      <Digits key={sent.challenge_id} sent={sent} />
      <p class="hint">{isOwnMachine(location.hostname) ? signIn.onThisMachine : signIn.spam}</p>
      <CodeActions sent={sent} onSent={onSent} onRestart={onRestart} />
    </section>
  );
};

const Digits = ({ sent }: Pick<CodeFormProps, "sent">) => {
  const { signIn } = texts.value;
  const input = useRef<HTMLFormElement>(null);
  const [digits, setDigits] = useState("");
  const [busy, setBusy] = useState(false);
  const entering = useAction(async (code: string) => {
    enter(await api.post<SessionState>("session", { challenge_id: sent.challenge_id, code }));
    forgetCode();
  });
  const focus = (): void => input.current?.querySelector("input")?.focus();
  // After the first code was sent, and after each other one.
  useEffect(focus, [sent]);
  const submit = async (code: string): Promise<void> => {
    if (busy || code.length < CODE_DIGITS) {
      return;
    }
    setBusy(true);
    if (!(await entering.run(code))) {
      setDigits("");
      setBusy(false);
      focus();
    }
  };
  const type = (text: string): void => {
    const code = digitsOf(text);
    setDigits(code);
    if (code !== digits) {
      void submit(code);
    }
  };
  const isWrong = entering.problem instanceof ApiProblem && entering.problem.code === "wrong_code";
  return (
    <form
      ref={input}
      class="sign-in-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(digits);
      }}
    >
      <TextField
        label={signIn.code}
        hint={signIn.codeUntil(time(sent.expires_at))}
        error={isWrong && wrongCode(entering.problem)}
        class="sign-in-code"
        name="code"
        inputMode="numeric"
        autocomplete="one-time-code"
        required
        value={digits}
        onText={type}
      />
      {entering.problem !== undefined && !isWrong && <ProblemNotice error={entering.problem} />}
      <Button kind="primary" type="submit" busy={busy}>
        {signIn.enter}
      </Button>
    </form>
  );
};

/** The service's message has the number of remaining attempts, in English. */
const wrongCode = (error: unknown): string =>
  error instanceof ApiProblem && locale.value === "en" ? error.message : (problemText("wrong_code") ?? "");

const PAUSE_SECONDS = 30;
const SECOND_MS = 1_000;

const CodeActions = ({ sent, onSent, onRestart }: CodeFormProps) => {
  const { signIn } = texts.value;
  const [seconds, setSeconds] = useState(PAUSE_SECONDS);
  const again = useAction(async () => {
    onSent(await sendCode(sent.email));
    setSeconds(PAUSE_SECONDS);
    announce(signIn.sent);
  });
  const waits = seconds > 0;
  useEffect(() => {
    if (!waits) {
      return;
    }
    const timer = setInterval(() => setSeconds((left) => left - 1), SECOND_MS);
    return () => clearInterval(timer);
  }, [waits]);
  return (
    <>
      {again.problem !== undefined && <SendingProblem error={again.problem} />}
      <div class="sign-in-actions">
        <Button disabled={waits} onClick={again.run}>
          {waits ? signIn.resendIn(seconds) : signIn.resend}
        </Button>
        <Button kind="quiet" onClick={onRestart}>
          {signIn.changeEmail}
        </Button>
      </div>
    </>
  );
};
