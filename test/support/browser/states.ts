import type { Page } from "playwright-core";

/** What pages show other than their usual content: dialogs, empty lists, errors, and outlines while they load. */
export interface State {
  readonly path: string;
  /** A name for the file of the screenshot. */
  readonly name: string;
  /** Who sees it. @default owner, with data on each page */
  readonly by?: "newcomer" | "owner";
  /** Responses of the service that are replaced, by their paths. */
  readonly responses?: "error" | "none";
  /** The accessible name of the button that opens it, in any language; the first one that matches is pressed. */
  readonly button?: RegExp;
}

/** Buttons that open dialogs, in English and German. */
const DIALOG_BUTTONS: Readonly<Record<string, readonly (readonly [name: string, button: RegExp])[]>> = {
  "/keys": [
    ["create", /^(Create key|Schlüssel erstellen)$/],
    ["limits", /^(Limits of|Grenzen|Limits)/],
    ["rotate", /^(Rotate|Ersetzen)/],
    ["revoke", /^(Revoke|Widerrufen)/],
  ],
  "/jobs": [
    ["details", /^(Details|Einzelheiten)/],
    ["delete", /^(Delete|Löschen)/],
  ],
  "/requests": [["details", /^Details/]],
  "/webhooks": [
    ["add", /^(Add endpoint|Endpunkt hinzufügen)$/],
    ["edit", /^(Edit|Bearbeiten)/],
    ["delete", /^(Delete|Löschen)/],
    ["secret", /^(Rotate secret|Geheimnis ersetzen)$/],
    ["details", /^(Details|Einzelheiten)/],
  ],
  "/storages": [
    ["add", /^(Add storage|Speicher hinzufügen)$/],
    ["edit", /^Replace|ersetzen$/],
    ["delete", /^Delete|löschen$/i],
  ],
  "/presets": [
    ["add", /^(New preset|Neue Vorlage)$/],
    ["edit", /^Edit|bearbeiten$/],
    ["delete", /^Delete|löschen$/i],
  ],
  "/plans": [["request", /Enterprise/]],
  "/operator": [["plan", /^(Change plan|Tarif)/]],
  "/account": [
    ["member", /^Remove .+@|@.+ entfernen$/],
    ["passkey", /^(Add passkey|Passkey hinzufügen)$/],
    ["address", /^(Change email address|E-Mail-Adresse ändern)$/],
    ["delete", /^(Delete account|Konto löschen)$/],
  ],
};

/** Pages with lists of an account. */
const LISTS = ["/keys", "/jobs", "/requests", "/webhooks", "/storages", "/presets", "/usage", "/account"] as const;

/** Pages that show an error if their data cannot be loaded. */
const DATA = [...LISTS, "/operator", "/formats", "/status", "/api/v1/docs#createJob"] as const;

export const DIALOGS: readonly State[] = Object.entries(DIALOG_BUTTONS).flatMap(([path, dialogs]) =>
  dialogs.map(([name, button]) => ({ path, name: `dialog-${name}`, button })),
);

export const STATES: readonly State[] = [
  ...DIALOGS,
  ...LISTS.map((path) => ({ path, name: "empty", by: "newcomer" as const })),
  ...DATA.map((path) => ({ path, name: "error", responses: "error" as const })),
  ...LISTS.map((path) => ({ path, name: "loading", responses: "none" as const })),
];

/** Requests that every page needs to know who is signed in. */
const IDENTITY = /\/api\/v1\/session(?:\/offers)?$/;

/** Replaces the responses before the page is opened. */
export const prepare = async (page: Page, { responses }: State): Promise<void> => {
  if (responses === undefined) {
    return;
  }
  const problem = {
    code: "internal_error",
    title: "Internal error",
    status: 500,
    detail: "Internal error.",
    request_id: "req_0123456789abcdef",
  };
  await page.route(/\/api\/v1\/(?!docs)/, (route) => {
    if (IDENTITY.test(new URL(route.request().url()).pathname)) {
      return route.continue();
    }
    // A request without a response stays open until the page is closed.
    return responses === "none"
      ? undefined
      : route.fulfill({ status: 500, contentType: "application/problem+json", body: JSON.stringify(problem) });
  });
};

/** Opens the dialog of a state. */
export const enter = async (page: Page, { button }: State): Promise<void> => {
  if (button !== undefined) {
    await page.getByRole("main").getByRole("button", { name: button }).first().click();
    await page.getByRole("dialog").waitFor();
  }
};
