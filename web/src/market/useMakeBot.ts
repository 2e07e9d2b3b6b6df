import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { api, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";

const MOST_ATTEMPTS = 20;

/** Makes a bot and goes to its workbench. A name that is taken gets a number: "SOL bot 2". */
export function useMakeBot() {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: create,
    onSuccess: (bot) => {
      void cache.invalidateQueries({ queryKey: ["get", "/api/bots"] });
      navigate(`/bots/${bot.id}`);
    },
  });
}

type Draft = Pick<Schemas["BotDraft"], "name" | "token" | "chain" | "strategy"> &
  Partial<Pick<Schemas["BotDraft"], "description" | "tags" | "universe">>;

async function create(draft: Draft): Promise<Schemas["BotView"]> {
  for (let attempt = 1; ; attempt++) {
    const name = attempt === 1 ? draft.name : `${draft.name} ${attempt}`;
    try {
      const { data } = await api.POST("/api/bots", { body: { ...draft, name } });
      if (data) return data;
    } catch (error) {
      if (problemOf(error).status !== 409 || attempt >= MOST_ATTEMPTS) throw error;
    }
  }
}
