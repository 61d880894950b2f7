import { useEffect } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { bytes } from "../format.ts";
import { VISITOR_FILE_BYTES_MAX, VISITOR_FILES_MAX } from "../offers.ts";
import { account, loadSession, sessionProblem } from "../session.ts";
import { texts } from "../text.ts";
import { ProblemNotice } from "../ui/notice.tsx";

const RETRY_MS = 5_000;

/** While the session cannot be read, shows why, and retries. */
export const ServiceNotice = () => {
  const problem = sessionProblem.value;
  useEffect(() => {
    if (problem === undefined) {
      return;
    }
    const timer = setTimeout(() => void loadSession(), RETRY_MS);
    return () => clearTimeout(timer);
  }, [problem]);
  return problem === undefined ? null : (
    <div class="banner">
      <ProblemNotice error={problem} />
      <p class="hint">{texts.value.shell.retrying}</p>
    </div>
  );
};

/** Shows guests without an account their limits. */
export const VisitorNotice = () => {
  const { shell } = texts.value;
  const [path] = useLocation();
  if (account.value === null || account.value.visitor_until === null || path === "/sign-in") {
    return null;
  }
  return (
    <aside class="visitor" aria-label={shell.visitor}>
      <p>
        {shell.visitorLimits(VISITOR_FILES_MAX, bytes(VISITOR_FILE_BYTES_MAX))}{" "}
        <Link href="/sign-in">{shell.visitorSignIn}</Link>
      </p>
    </aside>
  );
};
