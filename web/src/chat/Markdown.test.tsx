import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import Markdown from "@/chat/Markdown";
import { render } from "@/testing/render";

test("links lead only to this site", () => {
  render(
    <Markdown text="[Claim your airdrop](https://evil.example) and [your account](/account), https://evil.example" />,
  );
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/account"]);
  expect(screen.getByText("Claim your airdrop")).toBeDefined();
});
