import { useEffect, useRef, useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { type Page, pages } from "./pages.ts";
import { account, isMember, sessionProblem, signOut } from "./session.ts";
import { texts } from "./text.ts";
import { Button } from "./ui/button.tsx";
import { Icon } from "./ui/icon.tsx";

/** The brand, the pages, and the account. On narrow screens a button opens the menu; Escape and a selection close it. */
export const Header = () => {
  const { shell } = texts.value;
  const { open, setOpen, button, header } = useMenu();
  return (
    <header class="top" ref={header}>
      <Link href="/" class="brand">
        <Icon name="logo" /> Anyform
      </Link>
      <button
        ref={button}
        type="button"
        class="button quiet menu-button"
        aria-expanded={open}
        aria-controls="menu"
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? "close" : "menu"} /> {shell.menu}
      </button>
      <div id="menu" class={open ? "menu open" : "menu"}>
        <nav aria-label={shell.navigation}>
          <ul>
            {visible("main").map(item)}
            {visible("developers").map(item)}
            {!isMember.value && visible("guests").map(item)}
          </ul>
        </nav>
        <Owner />
      </div>
    </header>
  );
};

/** The menu on narrow screens: Escape closes it and returns the focus; a selection or a click elsewhere also closes it. */
const useMenu = () => {
  const [path] = useLocation();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const header = useRef<HTMLElement>(null);
  // Close the menu when another page is opened.
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!open) {
      return;
    }
    const stop = new AbortController();
    const close = (event: Event): void => {
      if (event.target instanceof Node && !header.current?.contains(event.target)) {
        setOpen(false);
      }
    };
    const leave = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") {
        setOpen(false);
        button.current?.focus();
      }
    };
    addEventListener("pointerdown", close, { signal: stop.signal });
    addEventListener("keydown", leave, { signal: stop.signal });
    return () => stop.abort();
  }, [open]);
  return { open, setOpen, button, header };
};

const visible = (menu: Page["menu"]): readonly Page[] =>
  pages.filter((page) => page.menu === menu && (page.who === "all" || isMember.value));

const item = (page: Page) => <MenuItem key={page.path} page={page} />;

const MenuItem = ({ page }: { readonly page: Page }) => {
  const [path] = useLocation();
  return (
    <li>
      <Link href={page.path} aria-current={path === page.path ? "page" : undefined}>
        {texts.value.shell.pages[page.name]}
      </Link>
    </li>
  );
};

const Owner = () => {
  const { shell } = texts.value;
  const [path, go] = useLocation();
  if (account.value === null || account.value.visitor_until !== null) {
    // If the session could not be read, there is no sign-in link either: the notice shows why.
    return path === "/sign-in" || (account.value === null && sessionProblem.value) ? null : (
      <Link href="/sign-in" class="button primary">
        {shell.pages.signIn}
      </Link>
    );
  }
  const leave = async (): Promise<void> => {
    // Leave members-only pages first: they would redirect to the sign-in page.
    go("/");
    await signOut();
  };
  return (
    <div class="owner">
      <Link href="/account" title={account.value.email ?? ""} aria-current={path === "/account" ? "page" : undefined}>
        {shell.pages.account}
      </Link>
      <Button kind="quiet" onClick={leave}>
        {shell.signOut}
      </Button>
    </div>
  );
};
