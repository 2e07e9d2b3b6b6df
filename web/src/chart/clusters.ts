/** Overlapping marks are drawn as one, with their number. */

type Mark = { place: number; side: "buy" | "sell" };
export type Cluster = Mark & { count: number };

/** How many candles two marks must lie apart, so that an arrow has this many pixels. */
export function gapFor(barSpacing: number, pixels: number): number {
  return Math.max(1, Math.ceil(pixels / barSpacing));
}

/** `marks` are in order; each cluster stands at its first mark. */
export function clustered(marks: readonly Mark[], gap: number): Cluster[] {
  const open: { buy?: Cluster; sell?: Cluster } = {};
  const clusters: Cluster[] = [];
  for (const mark of marks) {
    const near = open[mark.side];
    if (near && mark.place - near.place < gap) {
      near.count += 1;
    } else {
      const cluster = { ...mark, count: 1 };
      open[mark.side] = cluster;
      clusters.push(cluster);
    }
  }
  return clusters;
}
