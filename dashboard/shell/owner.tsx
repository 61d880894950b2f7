import { Link, useLocation } from "wouter-preact";
import { pages } from "../pages.ts";
import { account, isOperator, session, sessionProblem, signOut } from "../session.ts";
import { texts } from "../text.ts";
import { Button } from "../ui/button.tsx";
import { useDisclosure } from "../ui/disclosure.ts";
import { Icon } from "../ui/icon.tsx";
import { OtherAccounts } from "./accounts.tsx";

/** Signs in; or the menu of the account: who is signed in, with which plan, the settings, and sign-out. */
export const Owner = () => {
  const [path] = useLocation();
  if (account.value !== null && account.value.visitor_until === null) {
    return <AccountMenu />;
  }
  // If the session could not be read, there is no sign-in link either: the notice shows why.
  return path === "/sign-in" || (account.value === null && sessionProblem.value) ? null : (
    <Link href="/sign-in" class="button">
      {texts.value.shell.pages.signIn}
    </Link>
  );
};

const AccountMenu = () => {
  const { shell, plans } = texts.value;
  const [path, go] = useLocation();
  const { open, setOpen, button, container } = useDisclosure<HTMLDivElement>();
  const email = session.value.session?.email ?? "";
  const address = account.value?.email ?? email;
  const plan = account.value?.plan;
  const leave = async (): Promise<void> => {
    // Leave members-only pages first: they would redirect to the sign-in page.
    go("/");
    await signOut();
  };
  return (
    <div class="owner" ref={container}>
      <button
        ref={button}
        type="button"
        class="owner-button"
        aria-expanded={open}
        aria-controls="account-menu"
        aria-label={shell.accountMenu}
        title={email}
        onClick={() => setOpen(!open)}
      >
        <span class="avatar" aria-hidden="true">
          {email.slice(0, 1).toUpperCase()}
        </span>
      </button>
      <div id="account-menu" class={open ? "owner-menu open" : "owner-menu"}>
        <p class="owner-who">
          <strong>{email}</strong>
          {address !== email && <small>{shell.inAccount(address)}</small>}
          {plan !== undefined && <small class="muted">{plans.names[plan]}</small>}
        </p>
        <Link href="/account" aria-current={path === "/account" ? "page" : undefined}>
          <Icon name="account" /> {shell.pages.account}
        </Link>
        {pages
          .filter(({ menu }) => menu === "account")
          .map((page) => (
            <Link key={page.path} href={page.path} aria-current={path === page.path ? "page" : undefined}>
              <Icon name={page.icon} /> {shell.pages[page.name]}
            </Link>
          ))}
        <Link href="/plans" aria-current={path === "/plans" ? "page" : undefined}>
          <Icon name="price" /> {shell.pages.plans}
        </Link>
        {isOperator.value && (
          <Link href="/operator" aria-current={path === "/operator" ? "page" : undefined}>
            <Icon name="screen" /> {shell.pages.operator}
          </Link>
        )}
        {open && (
          <OtherAccounts
            onSwitched={() => {
              setOpen(false);
              go("/");
            }}
          />
        )}
        <Button kind="quiet" onClick={leave}>
          <Icon name="leave" /> {shell.signOut}
        </Button>
      </div>
    </div>
  );
};
