import { Note } from "@/design/States";
import { count } from "@/format/numbers";

const NEAR = 0.8;

/** Shows how much of a limit is used, from 80 % on. */
export function NearLimit({ used, max, what }: { used: number; max: number; what: string }) {
  if (used < NEAR * max) return null;
  return <Note>{`You have used ${count(used)} of ${count(max)} ${what}.`}</Note>;
}
