import { useQueryClient } from "@tanstack/react-query";
import { queries, type Schemas } from "@/api/client";
import { Button } from "@/design/Button";
import { Dialog } from "@/design/Dialog";
import { ProblemNote } from "@/design/States";
import { toast } from "@/design/Toast";

type DeleteBotDialogProps = { bot: Pick<Schemas["ListedBot"], "id" | "name">; open: boolean; onClose: () => void };

export default function DeleteBotDialog({ bot, open, onClose }: DeleteBotDialogProps) {
  const cache = useQueryClient();
  const deletion = queries.useMutation("delete", "/api/bots/{bot_id}", {
    onSuccess: () => {
      onClose();
      toast(`${bot.name} is deleted.`);
      void cache.invalidateQueries({ queryKey: ["get", "/api/bots"] });
      void cache.invalidateQueries({ queryKey: ["get", "/api/auth/me"] });
    },
  });
  return (
    <Dialog onClose={onClose} open={open} title={`Delete ${bot.name}?`}>
      <p>This also deletes its strategy, its backtests and its simulations. It cannot be undone.</p>
      <ProblemNote error={deletion.error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Keep it</Button>
        <Button
          busy={deletion.isPending}
          look="danger"
          onClick={() => deletion.mutate({ params: { path: { bot_id: bot.id } } })}
        >
          Delete
        </Button>
      </div>
    </Dialog>
  );
}
