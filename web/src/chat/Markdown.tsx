import { type ComponentProps, memo } from "react";
import ReactMarkdown from "react-markdown";
import { shortAddress } from "@/backtests/instrument";
import { unbroken } from "@/format/numbers";
import { useSymbols } from "@/market/names";
import "@/chat/prose.css";

/**
 * The text of an answer. No raw HTML, no images, no links to other sites. Numbers that are in no result are marked. Addresses
 * are replaced by the symbol of the token, if it is known and not in the text already, or else shortened.
 */
function Markdown({ text, unverified = [] }: { text: string; unverified?: readonly string[] }) {
  const symbolOf = useSymbols();
  const nameOf = (address: string) => {
    const symbol = symbolOf(address);
    return symbol && !text.includes(symbol) ? symbol : shortAddress(address);
  };
  return (
    <div className="prose">
      <ReactMarkdown
        components={{ a: OwnLink, img: Named }}
        rehypePlugins={[[polish, nameOf, unverified.map(unbroken)]]}
        skipHtml
      >
        {unbroken(text)}
      </ReactMarkdown>
    </div>
  );
}

/** Memoised, so that earlier answers are not parsed again while a new one grows. */
export default memo(Markdown);

/** Only links to this site are kept: names and texts from the market may contain deceptive addresses. */
function OwnLink({ href, children }: ComponentProps<"a">) {
  return isOwn(href) ? <a href={href}>{children}</a> : <span>{children}</span>;
}

function isOwn(href: string | undefined): boolean {
  if (!href) return false;
  try {
    return new URL(href, location.href).origin === location.origin;
  } catch {
    return false;
  }
}

function Named({ alt }: ComponentProps<"img">) {
  return <span>{alt}</span>;
}

type Node = {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
};

const ADDRESS = /\b(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})\b/g;
const UNVERIFIED = "This number is in no result of this conversation.";

/**
 * A rehype plugin: wraps these numbers in a `mark`, and replaces addresses by names, except in code, which may be
 * copied.
 */
function polish(nameOf: (address: string) => string, unverified: readonly string[]) {
  const wanted = unverified.filter((text) => text !== "").map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const numbers = new RegExp(`(?<![\\w.])(${wanted.join("|")})(?![\\w])`, "g");
  return (tree: Node) => {
    replaceIn(tree, ADDRESS, (address) => element("span", address, nameOf(address)));
    if (wanted.length > 0) replaceIn(tree, numbers, (number) => element("mark", UNVERIFIED, number));
  };
}

function element(tagName: string, title: string, value: string): Node {
  return { type: "element", tagName, properties: { title }, children: [{ type: "text", value }] };
}

/** `pattern` has one group: split by it, every second piece of a text is a match. */
function replaceIn(node: Node, pattern: RegExp, make: (match: string) => Node): void {
  if (node.tagName === "code") return;
  node.children = node.children?.flatMap((child) => {
    if (child.type !== "text" || !child.value) {
      replaceIn(child, pattern, make);
      return [child];
    }
    const pieces = child.value.split(pattern);
    return pieces.map((value, index) => (index % 2 === 0 ? { type: "text", value } : make(value)));
  });
}
