import type { ComponentType } from "preact";
import { operatorFile, operatorPages } from "./operator-pages.ts";
import type { AccountRole } from "./session.ts";
import type { Texts } from "./text.ts";
import type { IconName } from "./ui/icon.tsx";

/** A page of the app. Its code is loaded when the page is first opened. */
export interface Page {
  /** Of one page, or of several if it has a parameter such as `:pair`. */
  readonly path: string;
  /** Its name in the navigation and in the window's title: a key of `shell.pages`. */
  readonly name: keyof Texts["shell"]["pages"];
  /** Who may open it: everybody, people who are signed in to an account, or those who operate the service. */
  readonly who: "all" | "members" | "operators";
  /** The roles that can use it. @default all */
  readonly roles?: readonly AccountRole[];
  /** Whether it sets the window's title itself. */
  readonly hasOwnTitle?: boolean;
  /** Where it is listed; `guests`: in the header, for people without an account; `account`: in its menu. @default nowhere */
  readonly menu?: "main" | "developers" | "guests" | "account" | "footer";
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
    hasOwnTitle: true,
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
    roles: ["owner", "developer"],
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
    roles: ["owner", "developer"],
    menu: "main",
    load: async () => (await import("./pages/keys/page.tsx")).KeysPage,
  },
  {
    path: "/requests",
    name: "requests",
    icon: "screen",
    who: "members",
    menu: "main",
    load: async () => (await import("./pages/requests/page.tsx")).RequestsPage,
  },
  {
    path: "/webhooks",
    name: "webhooks",
    icon: "plug",
    who: "members",
    roles: ["owner", "developer"],
    menu: "main",
    load: async () => (await import("./pages/webhooks/page.tsx")).WebhooksPage,
  },
  {
    path: "/storages",
    name: "storages",
    icon: "archive",
    who: "members",
    menu: "account",
    load: async () => (await import("./pages/storages/page.tsx")).StoragesPage,
  },
  {
    path: "/presets",
    name: "presets",
    icon: "settings",
    who: "members",
    menu: "account",
    load: async () => (await import("./pages/presets/page.tsx")).PresetsPage,
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
    hasOwnTitle: true,
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
  {
    path: "/operator",
    name: "operator",
    icon: "screen",
    who: "operators",
    load: async () => (await import("./pages/operator/page.tsx")).OperatorPage,
  },
  ...operatorPages.map(
    (name): Page => ({
      path: `/${name}`,
      name,
      icon: "info",
      who: "all",
      menu: "footer",
      isShown: () => operatorFile(name, "en") !== undefined,
      load: async () => (await import("./pages/operator-texts/page.tsx")).OperatorTextPage,
    }),
  ),
];

/** @returns the page at a path; undefined for an unknown path */
export const pageAt = (path: string): Page | undefined =>
  pages.find((page) => new RegExp(`^${page.path.replace(/:\w+/, "[^/]+")}$`).test(path));
