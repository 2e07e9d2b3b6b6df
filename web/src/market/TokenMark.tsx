/** A token's icon: the first letter of its symbol in its own colour. Logos would come from unknown hosts. */
export function TokenMark({ symbol, size = 28 }: { symbol: string; size?: number }) {
  const hue = [...symbol].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  return (
    <span
      aria-hidden="true"
      className="grid shrink-0 place-items-center rounded-full font-semibold"
      style={{
        width: size,
        height: size,
        fontSize: size * 0.42,
        color: `light-dark(oklch(0.4 0.11 ${hue}), oklch(0.87 0.09 ${hue}))`,
        background: `light-dark(oklch(0.93 0.045 ${hue}), oklch(0.3 0.06 ${hue}))`,
      }}
    >
      {symbol.replace(/^\W+/, "").charAt(0).toUpperCase() || "?"}
    </span>
  );
}
