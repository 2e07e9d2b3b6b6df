/** A curve without axes in the colour of its result. It is decorative: the number beside it says the same. */
export function Sparkline({ values, height = 44 }: { values: number[]; height?: number }) {
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined || values.length < 2) return <div style={{ height }} />;
  const points = curve(values, height);
  const colour = last === first ? "var(--line-strong)" : last > first ? "var(--up)" : "var(--down)";
  return (
    <svg
      aria-hidden="true"
      className="block w-full"
      height={height}
      preserveAspectRatio="none"
      viewBox={`0 0 100 ${height}`}
    >
      <polygon fill={colour} opacity="0.1" points={`0,${height} ${points} 100,${height}`} />
      <polyline
        fill="none"
        points={points}
        stroke={colour}
        strokeLinejoin="round"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

/** The points of the line, across a box 100 wide and `height` high; in the middle if all values are equal. */
export function curve(values: number[], height: number): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low;
  const step = 100 / (values.length - 1);
  return values
    .map(
      (value, place) =>
        `${(place * step).toFixed(2)},${(height - 2 - (span > 0 ? (value - low) / span : 0.5) * (height - 4)).toFixed(2)}`,
    )
    .join(" ");
}
