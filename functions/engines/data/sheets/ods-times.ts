/** A time with a fraction of seconds, as LibreOffice writes it. */
const TIME = /office:value-type="time" office:time-value="(-?)PT(\d{1,9})H(\d{1,2})M(\d{1,2}\.\d{1,20})S"/g;

/**
 * @param xml `content.xml` of an OpenDocument workbook
 * @returns the same with times that have a fraction of seconds as numbers of days, which their styles show as times: SheetJS
 * cuts the fraction
 */
export const withExactTimes = (xml: Buffer): Buffer => {
  if (!xml.includes("office:time-value=")) {
    return xml;
  }
  const exact = (_: string, sign: string, ...[hours, minutes, seconds]: readonly string[]): string => {
    const days = (Number(hours) + Number(minutes) / 60 + Number(seconds) / 3_600) / 24;
    return `office:value-type="float" office:value="${sign}${days}"`;
  };
  return Buffer.from(xml.toString("latin1").replace(TIME, exact), "latin1");
};
