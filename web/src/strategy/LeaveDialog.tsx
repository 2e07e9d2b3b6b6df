import { useMutation } from "@tanstack/react-query";
import { Button } from "@/design/Button";
import { Dialog } from "@/design/Dialog";
import { ProblemNote } from "@/design/States";
import { departure, leaveNow, useGuard } from "@/kit/leaving";
import { useStore } from "@/kit/store";
import { Diff } from "@/strategy/Diff";
import { toStrategy } from "@/strategy/draft";
import { discardEdits, saveEdits, useEdits } from "@/strategy/edits";
import type { Bot } from "@/strategy/versions";

/** Asks whether to save unsaved edits before the workbench is left. */
export function LeaveDialog({ bot }: { bot: Bot }) {
  const { edits, changed } = useEdits(bot);
  const pending = useStore(departure);
  useGuard(changed);
  const save = useMutation({ mutationFn: () => saveEdits(bot.id), onSuccess: leaveNow });
  const stay = () => {
    save.reset();
    departure.set(null);
  };
  const leave = () => {
    discardEdits(bot.id);
    leaveNow();
  };
  return (
    <Dialog onClose={stay} open={pending !== null} title="Leave with unsaved changes?">
      <p>The strategy of {bot.name} has changes that are not saved:</p>
      {edits && <Diff after={toStrategy(edits.draft)} before={edits.base.strategy} />}
      <ProblemNote error={save.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={stay}>Stay</Button>
        <Button look="danger" onClick={leave}>
          Leave without saving
        </Button>
        <Button busy={save.isPending} look="primary" onClick={() => save.mutate()}>
          Save and leave
        </Button>
      </div>
    </Dialog>
  );
}
