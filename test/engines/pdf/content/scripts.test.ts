import { describe, expect, test } from "vitest";
import { pageContent, textOfWords } from "../../support/documents/page-content.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { convertingBy, isInstalled } from "../../support/task.ts";

/** Words of all scripts in logical order, from PDFs by Chromium and LibreOffice: their fonts and marks differ. */

const scratch = scratchFolder();

/** Text by language, a paragraph each. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  ar: [
    "تحسين الإنتاجية وحل المشكلات بلغة R و Python (الإصدار 3.12) في عام 2024.",
    "لا إله إلا الله، قال الأستاذ: «هذا كتاب جديد» وثمنه 50% فقط.",
    "العنوان: شارع 12/05/2024، رقم الهاتف 06-1234567 والبريد test@example.com.",
  ],
  he: [
    "כל בני האדם נולדו בני חורין ושווים בערכם (סעיף 1 להכרזה).",
    "בשנת 2024 נמכרו 1,250 ספרים, כלומר 50% יותר מאשר ב-2023.",
    "המילה English באמצע, ואחריה עוד שתי מילים open source בסוף.",
  ],
  fa: ["زبان فارسی می‌خواهد ساده باشد؛ گچ پژ ۱۲۳۴."],
  hi: ["सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।"],
  ta: ["மனிதப் பிறிவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்; அவர்கள் சமமானவர்கள்."],
  th: ["มนุษย์ทั้งหลายเกิดมามีอิสระ และควรปฏิบัติต่อกันด้วยเจตนารมณ์"],
  ja: ["すべての人間は、生まれながらにして自由である。2024年（令和6年）のPDFです。"],
  zh: ["人人生而自由，在尊严和权利上一律平等。Adobe PDF 文件。"],
  ko: ["모든 인간은 태어날 때부터 자유로우며 동등하다."],
  fr: ["L’œuvre efficace affiche « naïveté » : 12 € à Zürich, São Paulo – Łódź."],
};
const RTL = ["ar", "he", "fa"];

const html = (language: string, paragraphs: readonly string[]): string =>
  `<!doctype html><html lang="${language}" dir="${RTL.includes(language) ? "rtl" : "ltr"}"><meta charset="utf-8">` +
  `<style>body{font-size:12pt}</style><body>${paragraphs.map((text) => `<p>${text}</p>`).join("\n")}`;

/** Full-width punctuation and the like are equal in meaning, and programs choose between the forms. */
const plain = (text: string): string => text.normalize("NFKC").replaceAll(/\s+/g, " ");

describe.each(["chromium", "soffice"] as const)("in a PDF by %s", (engine) => {
  const print = convertingBy(engine, scratch);
  test.skipIf(!isInstalled(engine)).each(Object.entries(TEXTS))(
    "reads %s as it was written",
    async (language, text) => {
      const { path } = await print(scratch.file(html(language, text)), ["html", "pdf"]);
      const { words, rtl, turned, unreadable } = await pageContent(path);
      expect(plain(textOfWords(words))).toBe(plain(text.join(" ")));
      expect(rtl).toBe(RTL.includes(language));
      expect(turned).toEqual([]);
      expect(unreadable).toBe(0);
    },
  );
});

test.skipIf(!isInstalled("chromium"))(
  "takes the direction of a page from its letters, however many digits it has",
  async () => {
    const row = `<tr><td>قائمة</td>${"<td>12345</td>".repeat(6)}</tr>`;
    const print = convertingBy("chromium", scratch);
    const { path } = await print(scratch.file(html("ar", [`<table>${row.repeat(5)}</table>`])), ["html", "pdf"]);
    expect(await pageContent(path)).toMatchObject({ rtl: true });
  },
);

test.skipIf(!isInstalled("chromium"))("reads vertical Japanese downward, column by column", async () => {
  const text = [
    "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "二番目の段落、ABC です。",
  ];
  const vertical = `<!doctype html><meta charset="utf-8"><body style="writing-mode:vertical-rl;height:200px">${text.map((each) => `<p>${each}</p>`).join("")}`;
  const { path } = await convertingBy("chromium", scratch)(scratch.file(vertical), ["html", "pdf"]);
  const { words, turned } = await pageContent(path);
  expect(words).toEqual([]);
  expect(textOfWords(turned).replaceAll(" ", "")).toBe(text.join("").replaceAll(" ", ""));
  expect(new Set(turned.map(({ quarters }) => quarters))).toEqual(new Set([1]));
  expect(new Set(turned.map(({ baseline }) => Math.round(baseline))).size).toBeLessThan(7);
});
