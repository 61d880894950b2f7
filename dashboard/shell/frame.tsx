import type { ComponentType } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { Redirect, useSearch } from "wouter-preact";
import type { Page } from "../pages.ts";
import { isMember, isOperator, sessionProblem } from "../session.ts";
import { texts } from "../text.ts";
import { Loading } from "../ui/notice.tsx";
import { PageHead } from "../ui/parts.tsx";
import { NotFoundMessage, PageCrash, PageLoadError } from "./page-errors.tsx";

const loaded = new Map<string, ComponentType>();

/** Loads a page's code once. @throws if the file no longer exists, or the service cannot be reached */
export const loadPage = async (page: Page): Promise<ComponentType> => {
  const Content = loaded.get(page.path) ?? (await page.load());
  loaded.set(page.path, Content);
  return Content;
};

export interface PageFrameProps {
  readonly page: Page;
  /** Called when the page is displayed. */
  readonly onShown: () => void;
}

/** Loads a page's code, sets the window's title, and redirects people who may not see the page. */
export const PageFrame = ({ page, onShown }: PageFrameProps) => {
  const name = texts.value.shell.pages[page.name];
  const search = useSearch();
  const [crash] = useErrorBoundary();
  const { Content, problem } = usePageCode(page);
  const isRefused = page.who !== "all" && !isMember.value;
  useTitle(page.hasOwnTitle === true ? undefined : name);
  useEffect(() => {
    if (Content !== undefined && !isRefused) {
      onShown();
    }
    // Only when the page is first displayed.
  }, [Content, isRefused]);
  if (isRefused) {
    const next = search === "" ? page.path : `${page.path}?${search}`;
    // If the session could not be read, the notice above the page shows why.
    return sessionProblem.value ? <PageHead title={name} /> : <Redirect to={signInTo(next)} replace />;
  }
  if (page.who === "operators" && !isOperator.value) {
    return <NotFoundMessage />;
  }
  if (crash !== undefined) {
    return <PageCrash title={name} error={crash} />;
  }
  if (problem !== undefined) {
    return <PageLoadError title={name} />;
  }
  return Content === undefined ? <Loading /> : <Content />;
};

/** @returns the sign-in page, which then redirects to `next` */
const signInTo = (next: string): string => `/sign-in?next=${encodeURIComponent(next)}`;

const usePageCode = (page: Page): { readonly Content: ComponentType | undefined; readonly problem: unknown } => {
  const [Content, setContent] = useState<ComponentType | undefined>(() => loaded.get(page.path));
  const [problem, setProblem] = useState<unknown>(undefined);
  useEffect(() => {
    loadPage(page).then((component) => setContent(() => component), setProblem);
  }, [page]);
  return { Content, problem };
};

/** @param name undefined: the page sets the title itself */
const useTitle = (name: string | undefined): void =>
  useEffect(() => {
    if (name !== undefined) {
      document.title = `${name} · Anyform`;
    }
  }, [name]);

export const NotFound = ({ onShown }: Pick<PageFrameProps, "onShown">) => {
  const { shell } = texts.value;
  useTitle(shell.notFound);
  // Once, when it is rendered.
  useEffect(onShown, []);
  return <NotFoundMessage />;
};
