import { expect, test } from "vitest";
import { entrance, safeReturn } from "@/session/returning";

test.each([
  ["/market?chain=solana", "/market?chain=solana"],
  [null, "/bots"],
  ["", "/bots"],
  ["https://evil.example", "/bots"],
  ["//evil.example", "/bots"],
  ["/\\evil.example", "/bots"],
  ["javascript:alert(1)", "/bots"],
])("after the login %s leads to %s", (next, address) => {
  expect(safeReturn(next)).toBe(address);
});

test("the link to the login keeps the whole address", () => {
  expect(entrance("/login", "/market?q=a&chain=b")).toBe("/login?next=%2Fmarket%3Fq%3Da%26chain%3Db");
});
