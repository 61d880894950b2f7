import { render } from "preact";
import { App } from "./app.tsx";
import { watchHistory } from "./focus.ts";
import { loadPage } from "./frame.tsx";
import { pages } from "./pages.ts";
import { loadSession } from "./session.ts";
import { startText } from "./text.ts";
import { startTheme } from "./theme.ts";
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/components.css";
import "./style/shell.css";

/** The first page's code comes while the service is asked who is signed in. One that fails is asked for again, and told, by its frame. */
const firstPage = async (): Promise<void> => {
  const page = pages.find(({ path }) => path === location.pathname);
  await (page && loadPage(page).catch(() => undefined));
};

startTheme();
watchHistory();
const root = document.getElementById("app");
if (root === null) {
  throw new TypeError("The page has no place for the app.");
}

/** A function, because pages import what stands in the same file as this: they would wait for its end, and this for them. */
const start = async (): Promise<void> => {
  await Promise.all([startText(), loadSession(), firstPage()]);
  render(<App />, root);
};

void start();
