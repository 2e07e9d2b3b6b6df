/** The numbers behind a check, drawn small: bars for a few, a strip or dots for many. The sentence beside it says the same. */
import type { Schemas } from "@/api/client";

type Check = Schemas["CheckView"];
const WIDTH = 96;
const HEIGHT = 28;
const DOTTED = new Set(["neighbours", "other_tokens"]);

export function CheckPicture({ check }: { check: Check }) {
  const values = (check.parts ?? []).map(({ value }) => value ?? 0);
  if (values.length === 0) return null;
  return (
    <svg aria-hidden="true" className="shrink-0" height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH}>
      {DOTTED.has(check.name) ? (
        <Dots round={check.name === "other_tokens"} values={values} />
      ) : (
        <Bars values={values} />
      )}
    </svg>
  );
}

/** One bar a value, up from the zero line or down from it. */
function Bars({ values }: { values: number[] }) {
  const top = Math.max(0, ...values);
  const bottom = Math.min(0, ...values);
  const scale = HEIGHT / (top - bottom || 1);
  const zero = top * scale;
  const step = WIDTH / values.length;
  return (
    <>
      {values.map((value, place) => (
        <rect
          className={value > 0 ? "fill-up" : "fill-down"}
          height={Math.max(1, Math.abs(value) * scale)}
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
          key={place}
          width={Math.max(1, step - 4)}
          x={place * step + 2}
          y={value > 0 ? zero - value * scale : Math.min(zero, HEIGHT - 1)}
        />
      ))}
      <line className="stroke-line-strong" x1={0} x2={WIDTH} y1={zero} y2={zero} />
    </>
  );
}

/** One mark a value: which of them made money. */
function Dots({ values, round }: { values: number[]; round: boolean }) {
  const across = Math.ceil(values.length / Math.ceil(values.length / 16));
  const size = Math.min(8, WIDTH / across - 2);
  return (
    <>
      {values.map((value, place) => (
        <rect
          className={value > 0 ? "fill-up" : "fill-down"}
          height={size}
          // biome-ignore lint/suspicious/noArrayIndexKey: a mark is its place
          key={place}
          rx={round ? size / 2 : 1}
          width={size}
          x={(place % across) * (WIDTH / across) + 1}
          y={Math.floor(place / across) * (size + 2) + 2}
        />
      ))}
    </>
  );
}
