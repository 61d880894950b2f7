import { useRef } from "preact/hooks";
import { Redirect, Route, Switch, useLocation, useSearch } from "wouter-preact";
import { pages } from "./pages.ts";
import { ServiceNotice, VisitorNotice } from "./shell/banners.tsx";
import { focusHeading } from "./shell/focus.ts";
import { Footer } from "./shell/footer.tsx";
import { NotFound, PageFrame } from "./shell/frame.tsx";
import { Header } from "./shell/header.tsx";
import { texts } from "./text.ts";
import { LiveRegion } from "./ui/live.tsx";

/** The frame of all pages: a link to the content, the header, the page, the footer, and announcements to screen readers. */
export const App = () => {
  const [path] = useLocation();
  const shownPath = useRef<string | undefined>(undefined);
  const onShown = (): void => {
    // The first page of a visit leaves the focus where the browser put it.
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
          <Route path="/use">
            <OldUsagePath />
          </Route>
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

/** Keeps links and bookmarks to the former path of the usage page working. */
const OldUsagePath = () => {
  const search = useSearch();
  return <Redirect to={search === "" ? "/usage" : `/usage?${search}`} replace />;
};
