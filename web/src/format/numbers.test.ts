import { expect, test } from "vitest";
import { count, money, percent, price, quantity, roundMoney } from "@/format/numbers";

test.each([
  [64_250.129, "64,250.13"],
  [1.23456, "1.2346"],
  [2, "2.00"],
  [0.5, "0.5000"],
  [0.012345678, "0.012346"],
  [0.00000001, "0.00000001"],
  [0.000000012345678, "0.000000012346"],
  [-0.00002, "−0.00002"],
  [0, "0.00"],
  [null, "–"],
  [Number.NaN, "–"],
])("a price of %s reads %s", (value, text) => {
  expect(price(value)).toBe(text);
});

test("no price below a cent is ever shown as zero", () => {
  for (let exponent = 0; exponent >= -15; exponent--) {
    expect(Number(price(3.7 * 10 ** exponent))).toBeCloseTo(3.7 * 10 ** exponent, -exponent + 3);
  }
});

test("gains have a plus, losses a real minus, and zero has neither", () => {
  expect(percent(5, { sign: true })).toBe("+5.00%");
  expect(percent(-0.5, { sign: true })).toBe("−0.50%");
  expect(percent(0, { sign: true })).toBe("0.00%");
  expect(money(1234.5, { sign: true })).toBe("+$1,234.50");
  expect(money(-3)).toBe("−$3.00");
});

test("large sums are short, counts are whole, and what is unknown is a dash", () => {
  expect(roundMoney(1_234_567)).toBe("$1.2M");
  expect(count(12_345)).toBe("12,345");
  expect(quantity(0.000123456789)).toBe("0.000123457");
  expect([money(null), percent(undefined), roundMoney(null), count(null)]).toEqual(["–", "–", "–", "–"]);
});
