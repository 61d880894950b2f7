import type { ComponentType } from "preact";
import { operatorFile, operatorPages } from "./operator-pages.ts";
import type { Texts } from "./text.ts";
import type { IconName } from "./ui/icon.tsx";

/** A page of the app. Its code is loaded when the page is first opened. */
export interface Page {
  /** Of one page, or of several if it has a parameter such as `:pair`. */
  readonly path: string;
  /** Its name in the navigation and in the window's title: a key of `shell.pages`. */
  readonly name: keyof Texts["shell"]["pages"];
  /** Who may open it: everybody, or only people who are signed in to an account. */
  readonly who: "all" | "members";
  /** Whether it sets the window's title itself. */
  readonly hasOwnTitle?: boolean;
  /** Where it is listed; `guests`: in the header, for people without an account. @default nowhere */
  readonly menu?: "main" | "developers" | "guests" | "footer";
  /** Whether it is listed. @default yes */
  readonly isShown?: () => boolean;
  /** Next to its name in the navigation. */
  readonly icon: IconName;
  readonly load: () => Promise<ComponentType>;
}

/** All pages. */
export const pages: readonly Page[] = [
  {
    path: "/",
    name: "convert",
    icon: "logo",
    who: "all",
    menu: "main",
    load: async () => (await import("./pages/convert/front-page.tsx")).FrontPage,
  },
  ...["/convert/:pair", "/de/convert/:pair"].map(
    (path): Page => ({
      path,
      name: "convert",
      icon: "logo",
      who: "all",
      hasOwnTitle: true,
      load: async () => (await import("./pages/convert/pair-page.tsx")).PairPage,
    }),
  ),
  {
    path: "/jobs",
    name: "jobs",
    icon: "list",
    who: "members",
    menu: "main",
    load: async () => (await import("./pages/jobs/page.tsx")).JobsPage,
  },
  {
    path: "/usage",
    name: "usage",
    icon: "chart",
    who: "members",
    menu: "main",
    load: async () => (await import("./pages/usage/page.tsx")).UsagePage,
  },
  {
    path: "/keys",
    name: "keys",
    icon: "key",
    who: "members",
    menu: "main",
    load: async () => (await import("./pages/keys/page.tsx")).KeysPage,
  },
  {
    path: "/webhooks",
    name: "webhooks",
    icon: "plug",
    who: "members",
    menu: "main",
    load: async () => (await import("./pages/webhooks/page.tsx")).WebhooksPage,
  },
  {
    path: "/docs",
    name: "docs",
    icon: "code",
    who: "all",
    menu: "guests",
    load: async () => (await import("./pages/docs/page.tsx")).DocsPage,
  },
  {
    path: "/api/v1/docs",
    name: "reference",
    icon: "code",
    who: "all",
    hasOwnTitle: true,
    menu: "developers",
    load: async () => (await import("./pages/reference/page.tsx")).ReferencePage,
  },
  {
    path: "/formats",
    name: "formats",
    icon: "grid",
    who: "all",
    menu: "developers",
    load: async () => (await import("./pages/formats/page.tsx")).FormatsPage,
  },
  {
    path: "/status",
    name: "status",
    icon: "check",
    who: "all",
    menu: "footer",
    load: async () => (await import("./pages/status/page.tsx")).StatusPage,
  },
  {
    path: "/sign-in",
    name: "signIn",
    icon: "account",
    who: "all",
    load: async () => (await import("./pages/sign-in/page.tsx")).SignInPage,
  },
  {
    path: "/plans",
    name: "plans",
    icon: "price",
    who: "all",
    menu: "guests",
    load: async () => (await import("./pages/plans/page.tsx")).PlansPage,
  },
  {
    path: "/account",
    name: "account",
    icon: "account",
    who: "members",
    load: async () => (await import("./pages/account/page.tsx")).AccountPage,
  },
  ...operatorPages.map(
    (name): Page => ({
      path: `/${name}`,
      name,
      icon: "info",
      who: "all",
      menu: "footer",
      isShown: () => operatorFile(name, "en") !== undefined,
      load: async () => (await import("./pages/operator/page.tsx")).OperatorPage,
    }),
  ),
];

/** @returns the page at a path; undefined for an unknown path */
export const pageAt = (path: string): Page | undefined =>
  pages.find((page) => new RegExp(`^${page.path.replace(/:\w+/, "[^/]+")}$`).test(path));
