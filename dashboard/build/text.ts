import type { AppPath, SiteLanguage } from "../../functions/domain/site/site-paths.ts";
import { en as app } from "../text/en.ts";
import { de } from "./text/de.ts";
import { en } from "./text/en.ts";

/** Texts that are only part of the pages' HTML. */
export const siteTexts: Readonly<Record<SiteLanguage, typeof en>> = { en, de };

const titles = app.shell.pages;

const USAGE = { title: titles.usage, description: "The requests of your account by day." };

/** Titles and descriptions of the pages of the app, for search engines and links. */
export const pageHeads: Readonly<Record<AppPath, { readonly title: string; readonly description: string }>> = {
  "/": {
    title: app.landing.title,
    description:
      "Convert files between more than 200 formats, in the browser or through an API. Open source, without ads.",
  },
  "/account": { title: titles.account, description: "Your account, its plan and its devices." },
  "/terms": { title: titles.terms, description: "The terms of this service." },
  "/privacy": { title: titles.privacy, description: "Which data this service processes, and for how long." },
  "/imprint": { title: titles.imprint, description: "Who operates this service." },
  "/contact": { title: titles.contact, description: "How to reach the operator of this service." },
  "/api/v1/docs": {
    title: titles.reference,
    description:
      "Guides and all operations of the API, with code in curl, TypeScript and Python, and a form to try them.",
  },
  "/docs": { title: titles.docs, description: "Convert your first file with curl, TypeScript or Python in a minute." },
  "/formats": {
    title: titles.formats,
    description: "All formats and conversions with their options, and what each of them keeps.",
  },
  "/jobs": { title: titles.jobs, description: "Your conversions and their results." },
  "/keys": { title: titles.keys, description: "The API keys of your account." },
  "/operator": { title: titles.operator, description: "Accounts, queues and failures of this service." },
  "/plans": {
    title: titles.plans,
    description: "Free: 100 requests per month. API: 5,000 requests per month for €29. Enterprise: custom.",
  },
  "/presets": { title: titles.presets, description: "Saved settings of your conversions." },
  "/requests": { title: titles.requests, description: "The API requests of your account, with their responses." },
  "/sign-in": { title: titles.signIn, description: "Sign in with an email code or a passkey, without a password." },
  "/status": { title: titles.status, description: "Whether the service and its engines work." },
  "/storages": { title: titles.storages, description: "S3 buckets and WebDAV folders for your files and results." },
  "/usage": USAGE,
  "/use": USAGE,
  "/webhooks": { title: titles.webhooks, description: "Get a message when a conversion ends." },
};
