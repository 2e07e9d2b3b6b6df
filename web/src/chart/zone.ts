/** What the clocks of a time zone show, for an axis that begins its days at their midnight. */

const DAY = 86_400;

/** Returns a function from unix seconds to the same seconds as the zone's clocks show them. */
export function localTime(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const offsetAt = (time: number) => {
    const parts = format.formatToParts(time * 1000);
    const [month, day, year, hour, minute, second] = parts
      .filter(({ type }) => type !== "literal")
      .map(({ value }) => Number(value)) as [number, number, number, number, number, number];
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - time;
  };
  // A chart has thousands of candles on a few hundred days, and on most days the clocks are not changed.
  const ofDays = new Map<number, number | null>();
  const ofDay = (day: number) => {
    const known = ofDays.get(day);
    if (known !== undefined) return known;
    const [first, last] = [offsetAt(day * DAY), offsetAt((day + 1) * DAY - 1)];
    const offset = first === last ? first : null;
    ofDays.set(day, offset);
    return offset;
  };
  return (time) => time + (ofDay(Math.floor(time / DAY)) ?? offsetAt(Math.floor(time)));
}
