import type { ComponentProps } from "react";
import ReactMarkdown from "react-markdown";
import "@/chat/prose.css";

/** An answer's words. No raw HTML, no images from anywhere; numbers that no result has are marked. */
export default function Markdown({ text, unverified = [] }: { text: string; unverified?: readonly string[] }) {
  return (
    <div className="prose">
      <ReactMarkdown components={{ a: OtherSite, img: Named }} rehypePlugins={[[markUnverified, unverified]]} skipHtml>
        {text}
      </ReactMarkdown>
    </div>
  );
}

function OtherSite({ href, children }: ComponentProps<"a">) {
  return (
    <a href={href} rel="noreferrer nofollow" target="_blank">
      {children}
    </a>
  );
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

/** A rehype plugin: puts each of these texts, wherever it stands by itself, into a `mark`. */
function markUnverified(texts: readonly string[]) {
  const wanted = texts.filter((text) => text !== "").map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (wanted.length === 0) return undefined;
  const pattern = new RegExp(`(?<![\\w.])(${wanted.join("|")})(?![\\w])`, "g");
  return (tree: Node) => {
    markIn(tree, pattern);
  };
}

function markIn(node: Node, pattern: RegExp): void {
  node.children = node.children?.flatMap((child) => {
    if (child.type !== "text" || !child.value) {
      markIn(child, pattern);
      return [child];
    }
    // Split by a pattern with one group, every second piece is a match.
    return child.value.split(pattern).map((value, index): Node => {
      const text: Node = { type: "text", value };
      return index % 2 === 0 ? text : { type: "element", tagName: "mark", properties: MARK, children: [text] };
    });
  });
}

const MARK = { title: "This number is in no result of this conversation." };
