import { Figure } from "@/design/Card";
import { Change, Money, Price, Time } from "@/format/Figures";
import { count } from "@/format/numbers";
import type { Played } from "@/playback/played";

/** What has happened of a run that is being played, in place of its result. */
export function SoFarFigures({ soFar }: { soFar: Played }) {
  const { position } = soFar;
  return (
    <div className="stack gap-3">
      <p className="text-small text-ink-soft">
        As of <Time at={soFar.clock} />. The result and the verdict stay hidden until the playback reaches the end.
      </p>
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 gap-y-3.5">
        <Figure name="Equity">
          <Money value={soFar.equity} />
        </Figure>
        <Figure name="Return so far">
          <Change value={soFar.returnPercent} />
        </Figure>
        <Figure name="Closed trades" note={soFar.closed > 0 && `${count(soFar.won)} won`}>
          {count(soFar.closed)}
        </Figure>
        <Figure
          name="Position"
          note={
            position && (
              <>
                bought at <Price value={position.entryPrice} />
              </>
            )
          }
        >
          {position ? <Change value={position.changePercent} /> : "nothing held"}
        </Figure>
      </dl>
    </div>
  );
}
