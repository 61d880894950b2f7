import type { ComponentType } from "preact";
import type { Texts } from "./text.ts";

/** A page of the app. Its code is loaded when the page is first opened. */
export interface Page {
  readonly path: string;
  /** Its name in the navigation and in the window's title: a key of `shell.pages`. */
  readonly name: keyof Texts["shell"]["pages"];
  /** Who may open it: everybody, or only people who are signed in to an account. */
  readonly who: "all" | "members";
  /** Where it is listed; `guests`: in the header, for people without an account. @default nowhere */
  readonly menu?: "main" | "developers" | "guests" | "footer";
  readonly load: () => Promise<ComponentType>;
}

/** All pages. */
export const pages: readonly Page[] = [
  {
    path: "/",
    name: "convert",
    who: "all",
    menu: "main",
    load: async () => (await import("./pages/convert/page.tsx")).ConvertPage,
  },
  {
    path: "/jobs",
    name: "jobs",
    who: "members",
    menu: "main",
    load: async () => (await import("./pages/jobs/page.tsx")).JobsPage,
  },
  {
    path: "/usage",
    name: "usage",
    who: "members",
    menu: "main",
    load: async () => (await import("./pages/usage/page.tsx")).UsagePage,
  },
  {
    path: "/keys",
    name: "keys",
    who: "members",
    menu: "main",
    load: async () => (await import("./pages/keys/page.tsx")).KeysPage,
  },
  {
    path: "/webhooks",
    name: "webhooks",
    who: "members",
    menu: "main",
    load: async () => (await import("./pages/webhooks/page.tsx")).WebhooksPage,
  },
  {
    path: "/docs",
    name: "docs",
    who: "all",
    menu: "developers",
    load: async () => (await import("./pages/docs/page.tsx")).DocsPage,
  },
  {
    path: "/formats",
    name: "formats",
    who: "all",
    menu: "developers",
    load: async () => (await import("./pages/formats/page.tsx")).FormatsPage,
  },
  {
    path: "/status",
    name: "status",
    who: "all",
    menu: "footer",
    load: async () => (await import("./pages/status/page.tsx")).StatusPage,
  },
  {
    path: "/sign-in",
    name: "signIn",
    who: "all",
    load: async () => (await import("./pages/sign-in/page.tsx")).SignInPage,
  },
  {
    path: "/plans",
    name: "plans",
    who: "all",
    menu: "guests",
    load: async () => (await import("./pages/plans/page.tsx")).PlansPage,
  },
  {
    path: "/account",
    name: "account",
    who: "members",
    load: async () => (await import("./pages/account/page.tsx")).AccountPage,
  },
];
