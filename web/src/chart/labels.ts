/** Texts beside lines, each in a box of one line's height; `x` is its left edge and `y` its middle. */
export type Label = { text: string; colour: string; x: number; y: number; width: number };

const HEIGHT = 13;

/** The labels within the pane's width, the lower of two that would cover each other moved down. */
export function apart(labels: readonly Label[], paneWidth: number): Label[] {
  const placed: Label[] = [];
  const inside = labels.map((label) => ({ ...label, x: Math.max(0, Math.min(label.x, paneWidth - label.width)) }));
  for (const label of inside.sort((one, other) => one.y - other.y)) {
    const covered = placed.filter(
      (other) => label.x < other.x + other.width && other.x < label.x + label.width && label.y < other.y + HEIGHT,
    );
    placed.push({ ...label, y: Math.max(label.y, ...covered.map(({ y }) => y + HEIGHT)) });
  }
  return placed;
}
