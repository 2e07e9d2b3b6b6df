/** The decoration of the first page: invented candles with a few trades. */
import { classes } from "@/kit/classes";
import "@/screens/start/start.css";

const WIDTH = 1600;
const HEIGHT = 360;
const STEP = 20;
const SEED = 20_240_611;

type Candle = { x: number; open: number; close: number; high: number; low: number };
type Trade = { from: number; to: number };

/** The entries and exits, as numbers of candles. */
const TRADES: readonly Trade[] = [
  { from: 11, to: 25 },
  { from: 31, to: 36 },
  { from: 44, to: 57 },
  { from: 64, to: 70 },
];

/** The same candles for everybody: pseudo-random numbers on top of waves. */
function candles(): Candle[] {
  let state = SEED;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  let last = level(0);
  return Array.from({ length: WIDTH / STEP }, (_, number) => {
    const open = last;
    const close = level(number + 1) + (random() - 0.5) * 34;
    last = close;
    const high = Math.min(open, close) - random() * 20;
    const low = Math.max(open, close) + random() * 20;
    return { x: number * STEP + STEP / 2, open, close, high, low };
  });
}

function level(number: number): number {
  return 222 - number * 0.75 - 52 * Math.sin(number / 5.2 + 2.6) - 20 * Math.sin(number / 2.3);
}

const CANDLES = candles();

export default function Backdrop() {
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 bottom-0 h-72 w-full mask-[linear-gradient(to_bottom,transparent,black_55%)] sm:h-90"
      preserveAspectRatio="xMidYMax slice"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    >
      <g opacity="0.32">
        {CANDLES.map((candle) => (
          <g className={candle.close <= candle.open ? "text-up" : "text-down"} key={candle.x} stroke="currentColor">
            <line strokeWidth="1.5" x1={candle.x} x2={candle.x} y1={candle.high} y2={candle.low} />
            <rect
              fill={candle.close <= candle.open ? "currentColor" : "var(--canvas)"}
              height={Math.max(2, Math.abs(candle.close - candle.open))}
              rx="1.5"
              strokeWidth="1.5"
              width="10"
              x={candle.x - 5}
              y={Math.min(candle.open, candle.close)}
            />
          </g>
        ))}
      </g>
      {TRADES.map((trade, number) => (
        <Drawn delay={400 + number * 500} key={trade.from} trade={trade} />
      ))}
    </svg>
  );
}

function Drawn({ trade, delay }: { trade: Trade; delay: number }) {
  const [entry, exit] = [CANDLES[trade.from], CANDLES[trade.to]];
  if (!entry || !exit) return null;
  const [from, to] = [entry.low + 8, exit.high - 8];
  const isWon = to < from;
  return (
    <g className={classes("start-trade", isWon ? "text-up" : "text-down")} style={{ animationDelay: `${delay}ms` }}>
      <line
        className="start-line"
        pathLength="1"
        stroke="currentColor"
        strokeWidth="2"
        style={{ animationDelay: `${delay}ms` }}
        x1={entry.x}
        x2={exit.x}
        y1={from}
        y2={to}
      />
      <path d={`M${entry.x} ${from - 4}l6 11h-12z`} fill="var(--accent)" />
      <path d={`M${exit.x} ${to + 4}l6-11h-12z`} fill="currentColor" />
    </g>
  );
}
