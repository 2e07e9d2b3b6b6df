/** The time zones to choose from, UTC first. */
const ZONES = Intl.supportedValuesOf("timeZone");

/** With the chosen one, which this browser may call by another name. */
export function zones(chosen: string): string[] {
  return [
    "UTC",
    ...ZONES.filter((zone) => zone !== "UTC"),
    ...(ZONES.includes(chosen) || chosen === "UTC" ? [] : [chosen]),
  ];
}
