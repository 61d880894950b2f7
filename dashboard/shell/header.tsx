import { Link, useLocation } from "wouter-preact";
import { type Page, pages } from "../pages.ts";
import { isMember, role } from "../session.ts";
import { texts } from "../text.ts";
import { useDisclosure } from "../ui/disclosure.ts";
import { Icon } from "../ui/icon.tsx";
import { Owner } from "./owner.tsx";

/** The brand, the pages, and the account. On narrow screens a button opens the menu; Escape and a selection close it. */
export const Header = () => {
  const { shell } = texts.value;
  const { open, setOpen, button, container } = useDisclosure<HTMLElement>();
  return (
    <header class="top" ref={container}>
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

const visible = (menu: Page["menu"]): readonly Page[] =>
  pages.filter(
    (page) =>
      page.menu === menu &&
      (page.who === "all" || isMember.value) &&
      (page.roles === undefined || page.roles.includes(role.value)),
  );

const item = (page: Page) => <MenuItem key={page.path} page={page} />;

const MenuItem = ({ page }: { readonly page: Page }) => {
  const [path] = useLocation();
  return (
    <li>
      <Link href={page.path} aria-current={path === page.path ? "page" : undefined}>
        <Icon name={page.icon} /> {texts.value.shell.pages[page.name]}
      </Link>
    </li>
  );
};
