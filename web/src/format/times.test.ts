import { expect, test } from "vitest";
import { ago, dateTime, day, duration, zoneName } from "@/format/times";

const NOON = "2026-02-03T12:00:00Z";

test("a moment is written in the reader's zone, whether it is ISO or unix seconds", () => {
  expect(dateTime(NOON, "UTC")).toBe("3 Feb 2026, 12:00");
  expect(dateTime(Date.parse(NOON) / 1000, "Asia/Tokyo")).toBe("3 Feb 2026, 21:00");
  expect(day("2026-02-03T23:30:00Z", "Asia/Tokyo")).toBe("4 Feb 2026");
  expect([dateTime(null, "UTC"), dateTime("never", "UTC")]).toEqual(["–", "–"]);
});

test.each([
  ["UTC", "UTC"],
  ["Europe/Berlin", "CET"],
  ["America/New_York", "GMT-5"],
])("the zone %s is called %s", (zone, name) => {
  expect(zoneName(NOON, zone)).toBe(name);
});

test.each([
  [0, "just now"],
  [59, "just now"],
  [-59, "in a moment"],
  [90, "1 minute ago"],
  [3 * 3600, "3 hours ago"],
  [86_400, "yesterday"],
  [400 * 86_400, "last year"],
])("%s seconds later it was %s", (seconds, text) => {
  expect(ago(NOON, Date.parse(NOON) + seconds * 1000)).toBe(text);
});

test.each([
  [45, "45 s"],
  [600, "10 min"],
  [12_000, "3 h 20 min"],
  [86_400, "1 day"],
  [2 * 86_400 + 4 * 3600, "2 days 4 h"],
  [null, "–"],
])("%s seconds last %s", (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});
