import { render } from "preact";
import { App } from "./app.tsx";
import { pageAt } from "./pages.ts";
import { loadSession } from "./session.ts";
import { watchHistory } from "./shell/focus.ts";
import { loadPage } from "./shell/frame.tsx";
import { startText } from "./text.ts";
import { startTheme } from "./theme.ts";
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/components.css";
import "./style/shell.css";
import "./style/print.css";

/** Loads the first page's code in parallel with the session. If it fails, the page's frame retries and shows the error. */
const firstPage = async (): Promise<void> => {
  const page = pageAt(location.pathname);
  await (page && loadPage(page).catch(() => undefined));
};

startTheme();
watchHistory();
const root = document.getElementById("app");
if (root === null) {
  throw new TypeError("The page has no element with the id `app`.");
}

/** A function, because pages import from the same chunk as this file: with top-level await, each would wait for the other. */
const start = async (): Promise<void> => {
  await Promise.all([startText(), loadSession(), firstPage()]);
  render(<App />, root);
};

void start();
