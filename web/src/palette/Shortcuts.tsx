import { Dialog } from "@/design/Dialog";

const SHORTCUTS: [string[], string][] = [
  [["Ctrl K", "⌘ K"], "Find a bot, a run, a token or an action"],
  [["?"], "This list"],
  [["C"], "Write in the chat"],
  [["/"], "In the chat: the list of commands"],
  [["← →"], "On the chart’s buttons: the trade before and after"],
  [["← →"], "In a playback: one candle back and forth"],
  [["Esc"], "Close a window"],
];

export default function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} open title="Keyboard shortcuts">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2">
        {SHORTCUTS.map(([keys, what]) => (
          <div className="contents" key={what}>
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd className="rounded-small border border-line bg-sunken px-1.5 py-0.5 text-small" key={key}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
