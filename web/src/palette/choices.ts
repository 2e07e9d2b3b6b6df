/** The entries of the palette, and the search among them. */

export type PaletteChoice = { id: string; group: string; name: string; detail?: string; go: () => void };

/** Those that have every word in their name, group or detail. */
export function matching(choices: readonly PaletteChoice[], typed: string): PaletteChoice[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ name, group, detail = "" }) => {
    const text = `${name} ${group} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
