/** The colours of the theme as a canvas understands them: `light-dark()` means nothing there. */
const NAMES = ["up", "down", "accent", "ink", "ink-soft", "ink-faint", "line", "line-strong", "surface"] as const;
export type Palette = Record<(typeof NAMES)[number], string>;

export function paletteOf(element: HTMLElement): Palette {
  const probe = document.createElement("span");
  element.append(probe);
  const colours = NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(colours);
}

/** The colour, seen through. */
export function faded(colour: string, opacity: number): string {
  const parts = /^rgba?\((\d+), (\d+), (\d+)/.exec(colour);
  return parts ? `rgba(${parts[1]}, ${parts[2]}, ${parts[3]}, ${opacity})` : colour;
}
