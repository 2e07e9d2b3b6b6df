/** The colours of the theme as a canvas understands them: `light-dark()` means nothing there. */
const NAMES = [
  "up",
  "down",
  "warn",
  "accent",
  "ink",
  "ink-soft",
  "ink-faint",
  "line",
  "line-strong",
  "surface",
  "series-1",
  "series-2",
  "series-3",
  "series-4",
] as const;
export type Palette = Record<(typeof NAMES)[number], string>;

export function paletteOf(element: HTMLElement): Palette {
  return Object.fromEntries(NAMES.map((name) => [name, resolved(element, name)])) as Palette;
}

/** Each colour is read from a new element, because a changed colour may still be in transition. */
function resolved(element: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The colour with an opacity. */
export function faded(colour: string, opacity: number): string {
  const parts = /^rgba?\((\d+), (\d+), (\d+)/.exec(colour);
  return parts ? `rgba(${parts[1]}, ${parts[2]}, ${parts[3]}, ${opacity})` : colour;
}
