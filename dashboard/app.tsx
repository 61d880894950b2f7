import { useRef } from "preact/hooks";
import { Route, Switch, useLocation } from "wouter-preact";
import { ServiceNotice, VisitorNotice } from "./banners.tsx";
import { focusHeading } from "./focus.ts";
import { Footer } from "./footer.tsx";
import { NotFound, PageFrame } from "./frame.tsx";
import { Header } from "./header.tsx";
import { pages } from "./pages.ts";
import { texts } from "./text.ts";
import { LiveRegion } from "./ui/live.tsx";

/** The frame of all pages: a link to the content, the header, the page, the footer, and what is told to screen readers. */
export const App = () => {
  const [path] = useLocation();
  const shownPath = useRef<string | undefined>(undefined);
  const onShown = (): void => {
    // The first page of a visit leaves the focus where the browser has it.
    if (shownPath.current !== undefined && shownPath.current !== path) {
      focusHeading();
    }
    shownPath.current = path;
  };
  return (
    <>
      <a class="skip" href="#content">
        {texts.value.shell.skip}
      </a>
      <Header />
      <ServiceNotice />
      <VisitorNotice />
      <main id="content" tabIndex={-1}>
        <Switch>
          {pages.map((page) => (
            <Route key={page.path} path={page.path}>
              <PageFrame page={page} onShown={onShown} />
            </Route>
          ))}
          <Route>
            <NotFound onShown={onShown} />
          </Route>
        </Switch>
      </main>
      <Footer />
      <LiveRegion />
    </>
  );
};
