import type { Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { Button } from "@/design/Button";
import { CopyIcon } from "@/design/icons";
import { toast } from "@/design/Toast";
import { useMakeBot } from "@/market/useMakeBot";

type Bot = Schemas["ListedBot"];

/** Makes another bot with the same strategy, token and tags, and opens it. */
export default function DuplicateButton({ bot }: { bot: Bot }) {
  const make = useMakeBot();
  const { name, description, token, chain, universe, strategy, tags } = bot;
  const duplicate = () =>
    make.mutate(
      { name: `${name.slice(0, 90)} copy`, description, token, chain, universe, strategy, tags },
      { onError: (error) => toast(problemOf(error).words, { tone: "failed" }) },
    );
  return (
    <Button
      aria-label={`Duplicate ${bot.name}`}
      busy={make.isPending}
      className="relative w-7 px-0!"
      look="ghost"
      onClick={duplicate}
      size="small"
      title="Duplicate"
    >
      {!make.isPending && <CopyIcon size={14} />}
    </Button>
  );
}
