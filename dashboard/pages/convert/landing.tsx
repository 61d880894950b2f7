import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { number } from "../../format.ts";
import { planOffers } from "../../offers.ts";
import { locale, texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { familyIcon, Icon } from "../../ui/icon.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { Card } from "../../ui/parts.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { oneCallSamples } from "./code/one-call-samples.ts";
import { SAMPLE_FILES, type SampleId, sampleFile } from "./sample-files.ts";
import { queue } from "./store.ts";
import "./landing.css";

/** Conversions that most people look for. Each has a separate page; the icon shows its family. */
const POPULAR = [
  ["HEIC", "JPG", "image"],
  ["PDF", "DOCX", "document"],
  ["DOCX", "PDF", "document"],
  ["JPG", "PDF", "image"],
  ["PNG", "JPG", "image"],
  ["WEBP", "PNG", "image"],
  ["MOV", "MP4", "video"],
  ["MP4", "MP3", "video"],
  ["MP4", "GIF", "video"],
  ["XLSX", "CSV", "spreadsheet"],
  ["EPUB", "PDF", "ebook"],
  ["SVG", "PNG", "vector"],
] as const;

/** Each language but English has a prefix. */
const pairPath = (source: string, target: string): string =>
  `${locale.value === "en" ? "" : `/${locale.value}`}/convert/${source.toLowerCase()}-to-${target.toLowerCase()}`;

/** What the service is and for whom, below the drop zone, for people without an account. */
export const Landing = () => (
  <div class="landing">
    <Samples />
    <Popular />
    <OneCall />
    <Reasons />
  </div>
);

/** Files to try a conversion with. */
const Samples = () => {
  const { landing } = texts.value;
  const [problem, setProblem] = useState<unknown>(undefined);
  const add = async (id: SampleId): Promise<void> => {
    try {
      queue.addFiles({ files: [{ file: await sampleFile(id), folder: "" }] });
      setProblem(undefined);
      scrollTo({ top: 0 });
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <section class="landing-samples" aria-label={landing.samples}>
      <p>{landing.samples}</p>
      {SAMPLE_FILES.map(({ id }) => (
        <Button key={id} onClick={() => add(id)}>
          {landing.sample[id]}
        </Button>
      ))}
      {problem !== undefined && <ProblemNotice error={problem} />}
    </section>
  );
};

const Popular = () => {
  const { landing } = texts.value;
  return (
    <Card title={landing.popular}>
      <ul class="landing-popular">
        {POPULAR.map(([source, target, family]) => (
          <li key={`${source} ${target}`}>
            <a href={pairPath(source, target)}>
              <Icon name={familyIcon(family)} /> {landing.pair(source, target)}
            </a>
          </li>
        ))}
      </ul>
      <p>
        <Link href="/formats">{landing.allFormats}</Link>
      </p>
    </Card>
  );
};

const REPORT = { file: "report.docx", target: "pdf", result: "report.pdf" };

const OneCall = () => {
  const { landing, docs } = texts.value;
  return (
    <Card title={landing.api}>
      <p>{landing.apiLead}</p>
      <Tabs
        label={docs.run.language}
        tabs={oneCallSamples({ address: location.origin, ...REPORT }).map(({ id, label, code }) => ({
          id,
          label,
          content: <Code text={code} label={docs.run.code(label)} />,
        }))}
      />
      <p>
        <Link href="/docs">{landing.docs}</Link>
      </p>
    </Card>
  );
};

const Reasons = () => {
  const { landing } = texts.value;
  const price = landing.priceText(number(planOffers.free.requestsPerMonth), number(planOffers.api.requestsPerMonth));
  const reasons = [
    { icon: "key", title: landing.privacy, text: landing.privacyText },
    { icon: "check", title: landing.price, text: price },
    { icon: "folder", title: landing.own, text: landing.ownText },
  ] as const;
  return (
    <ul class="landing-reasons">
      {reasons.map(({ icon, title, text }) => (
        <li key={title} class="card">
          <h2>
            <Icon name={icon} /> {title}
          </h2>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  );
};
