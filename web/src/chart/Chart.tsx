import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Stretch } from "@/chart/Canvas";
import type { ChartData, Hover } from "@/chart/Drawing";
import { withoutHidden } from "@/chart/hiding";
import { panesBelow } from "@/chart/lines";
import type { View } from "@/chart/places";
import { SeriesToggles } from "@/chart/SeriesToggles";
import { Button } from "@/design/Button";
import { lazyPart } from "@/design/lazyPart";
import { Skeleton } from "@/design/States";
import { price, quantity, roundCount } from "@/format/numbers";
import { zoneName } from "@/format/times";
import { classes } from "@/kit/classes";
import { usePreference } from "@/kit/preference";
import { saveFile } from "@/kit/saving";
import { useSettings } from "@/session/user";

const Canvas = lazyPart(() => import("@/chart/Canvas"), { name: "The chart" });

type ChartProps = {
  name: string;
  /** What the chart shows, in a sentence or two, for screen readers. */
  caption: ReactNode;
  data: ChartData;
  focus?: Stretch | null;
  className?: string;
  /** Goes to the next or the previous trade, if there are any. */
  onStep?: (by: 1 | -1) => void;
  /** Called with the time in view; with null when everything is shown. */
  onView?: (view: View | null) => void;
  /** More buttons of the toolbar. */
  tools?: ReactNode;
  /** Whether its prices are invented: a saved picture says so. */
  isDemo?: boolean;
};

const FILLS_READ = 4;
const EVERYTHING: readonly string[] = [];
const NOWHERE: Hover = { fills: [], candle: null, notes: [], values: [] };

/** A captioned figure. Its text form is the table of the trades. */
export function Chart({ name, caption, data, focus = null, className, onStep, onView, tools, isDemo }: ChartProps) {
  const [hovered, setHovered] = useState<Hover>(NOWHERE);
  const [resets, setResets] = useState(0);
  const figure = useRef<HTMLElement>(null);
  const picture = useRef<(() => HTMLCanvasElement) | null>(null);
  const keepPicture = useCallback((take: () => HTMLCanvasElement) => {
    picture.current = take;
  }, []);
  const [hidden, hide] = usePreference<readonly string[]>("chart-hidden", EVERYTHING);
  const [isLogarithmic, setLogarithmic] = usePreference("chart-logarithmic", false);
  const shown = useMemo(() => ({ ...withoutHidden(data, hidden), isLogarithmic }), [data, hidden, isLogarithmic]);
  return (
    <figure className="stack bg-surface" ref={figure}>
      <div
        className={classes("relative stack justify-center in-[:fullscreen]:h-auto in-[:fullscreen]:flex-1", className)}
        style={{ "--below": `${panesBelow(data.lines ?? [], hidden).length * 5}rem` } as CSSProperties}
      >
        <Canvas
          data={shown}
          fallback={<Skeleton className="absolute inset-0" />}
          focus={focus}
          name={name}
          onHover={setHovered}
          onReady={keepPicture}
          onView={onView}
          resets={resets}
        />
        <Readout {...hovered} />
        <ZoneOfAxis at={data.candles.at(-1)?.time} />
      </div>
      <figcaption className="stack gap-1 border-t border-line px-4 py-2 text-small text-ink-soft">
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <span className="min-w-0 flex-1 basis-64">{caption}</span>
          <SeriesToggles data={data} hidden={hidden} onHide={hide} />
        </span>
        <Tools
          figure={figure}
          onPicture={() => void savePicture(picture.current?.(), name, isDemo)}
          onReset={() => setResets(resets + 1)}
          onStep={onStep}
        >
          <Button
            aria-pressed={isLogarithmic}
            className={classes(isLogarithmic && "bg-accent-soft!")}
            look="ghost"
            onClick={() => setLogarithmic(!isLogarithmic)}
            size="small"
          >
            Log scale
          </Button>
          {tools}
        </Tools>
      </figcaption>
    </figure>
  );
}

/** In the corner where the axes of time and price meet. */
function ZoneOfAxis({ at }: { at: number | undefined }) {
  const { timezone } = useSettings();
  return (
    <span
      className="absolute right-0 bottom-0 grid h-7 w-16 place-items-center text-tiny text-ink-faint"
      title={`Times in ${timezone}`}
    >
      {zoneName(at, timezone)}
    </span>
  );
}

async function savePicture(canvas: HTMLCanvasElement | undefined, name: string, isDemo = false): Promise<void> {
  if (canvas && isDemo) markAsDemo(canvas);
  const blob = await new Promise<Blob | null>((done) => (canvas ? canvas.toBlob(done) : done(null)));
  if (blob) saveFile(blob, `${isDemo ? "demo-" : ""}chart-${name}.png`);
}

/** A saved picture has no caption, so the mark is drawn into it. */
function markAsDemo(canvas: HTMLCanvasElement): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const size = 14 * devicePixelRatio;
  context.font = `600 ${size}px sans-serif`;
  context.fillStyle = "#b26a00";
  context.fillText("Demo prices, invented", size / 2, 1.5 * size);
}

/** The candle under the pointer, the series there, and what was decided, bought or sold on it. */
function Readout({ candle, fills, notes, values }: Hover) {
  if (!candle) return null;
  const prices = { O: candle.open, H: candle.high, L: candle.low, C: candle.close };
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-1 left-2 z-10 max-w-[75%] rounded-control border border-line bg-raised/95 px-2 py-1 text-small shadow-raised"
    >
      <p className="figures flex flex-wrap gap-x-2.5">
        {Object.entries(prices).map(([letter, value]) => (
          <span key={letter}>
            <span className="text-ink-faint">{letter}</span> {price(value)}
          </span>
        ))}
        <span>
          <span className="text-ink-faint">Vol</span> {roundCount(candle.volume)}
        </span>
      </p>
      {values.length > 0 && (
        <p className="figures flex flex-wrap gap-x-2.5">
          {values.map(({ name, colour, value }) => (
            <span key={name}>
              <span style={{ color: `var(--${colour})` }}>{name}</span> {quantity(value, 5)}
            </span>
          ))}
        </p>
      )}
      {notes.map((note) => (
        <p key={note}>
          <strong className="font-medium text-accent">● Decided</strong> {note}
        </p>
      ))}
      {fills.slice(0, FILLS_READ).map((fill, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two fills of a candle may be alike, and none moves
        <p key={place}>
          <strong className={classes("font-medium", fill.side === "buy" ? "text-up" : "text-down")}>
            {fill.side === "buy" ? "▲ Buy" : "▼ Sell"}
          </strong>{" "}
          {fill.why}
        </p>
      ))}
      {fills.length > FILLS_READ && <p className="text-ink-faint">and {fills.length - FILLS_READ} more</p>}
    </div>
  );
}

type ToolsProps = {
  figure: RefObject<HTMLElement | null>;
  onPicture: () => void;
  onReset: () => void;
  onStep?: (by: 1 | -1) => void;
  children?: ReactNode;
};

/** The arrow keys go from trade to trade while one of these has the focus. */
function Tools({ figure, onPicture, onReset, onStep, children }: ToolsProps) {
  const step = ({ key }: KeyboardEvent) => {
    if (key === "ArrowLeft") onStep?.(-1);
    if (key === "ArrowRight") onStep?.(1);
  };
  const fill = () => (document.fullscreenElement ? document.exitFullscreen() : figure.current?.requestFullscreen());
  return (
    <span aria-label="Chart" className="-ml-2 flex flex-wrap gap-1" onKeyDown={step} role="toolbar">
      {onStep && (
        <>
          <Button look="ghost" onClick={() => onStep(-1)} size="small">
            ← Previous trade
          </Button>
          <Button look="ghost" onClick={() => onStep(1)} size="small">
            Next trade →
          </Button>
        </>
      )}
      <Button look="ghost" onClick={onReset} size="small">
        Reset zoom
      </Button>
      {children}
      <Button look="ghost" onClick={onPicture} size="small">
        Save as PNG
      </Button>
      {document.fullscreenEnabled && (
        <Button look="ghost" onClick={() => void fill()} size="small">
          Full screen
        </Button>
      )}
    </span>
  );
}
