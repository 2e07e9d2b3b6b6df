import { expect, test } from "vitest";
import { localTime } from "@/chart/zone";

const at = (moment: string) => Date.parse(moment) / 1000;

test.each([
  ["UTC", "2026-10-01T00:00:00Z", "2026-10-01T00:00:00Z"],
  ["America/New_York", "2026-10-01T04:00:00Z", "2026-10-01T00:00:00Z"],
  ["Asia/Kolkata", "2026-10-01T00:00:00Z", "2026-10-01T05:30:00Z"],
  ["Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T02:30:00Z"],
  ["Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z"],
])("in %s the clocks show at %s what they show in UTC at %s", (zone, moment, shown) => {
  expect(localTime(zone)(at(moment))).toBe(at(shown));
});
