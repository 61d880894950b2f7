import { useLocation } from "wouter-preact";
import { ApiProblem } from "../../api.ts";
import { Markdown } from "../../markdown/markdown.tsx";
import { type OperatorFile, operatorFile, operatorPages } from "../../operator-pages.ts";
import { NotFoundMessage } from "../../shell/page-errors.tsx";
import { locale, texts } from "../../text.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";

/** A text of the operator, such as the terms. Markdown is shown without any HTML that it contains. */
export const OperatorTextPage = () => {
  const [path] = useLocation();
  const page = operatorPages.find((each) => path === `/${each}`) ?? "terms";
  const file = operatorFile(page, locale.value);
  return file === undefined ? <NotFoundMessage /> : <Text file={file} name={texts.value.shell.pages[page]} />;
};

const Text = ({ file: { url, language }, name }: { readonly file: OperatorFile; readonly name: string }) => {
  const content = useRemote(() => read(url), [url]);
  const [, title = name] = /^\s*# (.+)/.exec(content.data ?? "") ?? [];
  return (
    <>
      <div lang={language}>
        <PageHead title={title} />
      </div>
      <Loaded of={content}>
        {(text) => (
          <div lang={language}>
            <Markdown text={text.replace(/^\s*# .+/, "")} codeLabel={title} />
          </div>
        )}
      </Loaded>
    </>
  );
};

const read = async (url: string): Promise<string> => {
  const response = await fetch(url).catch((cause: unknown) => {
    throw new ApiProblem({ code: "not_reachable", detail: String(cause) });
  });
  if (!response.ok) {
    throw new ApiProblem({ status: response.status, detail: `The service responded with status ${response.status}.` });
  }
  return response.text();
};
