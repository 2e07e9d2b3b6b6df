import { useMutation } from "@tanstack/react-query";
import { api } from "@/api/client";
import { Button } from "@/design/Button";
import { DownloadIcon } from "@/design/icons";
import { ProblemNote } from "@/design/States";
import { saveFile } from "@/kit/saving";
import type { Bot } from "@/strategy/versions";

/** The strategy as one file, to be kept, given away or imported elsewhere. */
export function ExportButton({ bot }: { bot: Bot }) {
  const download = useMutation({ mutationFn: () => saveStrategy(bot.id) });
  return (
    <div className="stack items-start gap-2">
      <Button busy={download.isPending} onClick={() => download.mutate()} size="small">
        <DownloadIcon size={14} />
        Export
      </Button>
      <ProblemNote error={download.error} />
    </div>
  );
}

async function saveStrategy(bot_id: string): Promise<void> {
  const { data } = await api.GET("/api/bots/{bot_id}/export", { params: { path: { bot_id } } });
  saveFile(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }), `strategy-${bot_id}.json`);
}
