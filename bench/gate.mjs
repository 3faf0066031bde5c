// How often the gate on a drop is missed, for targets whose pass rates are known: `node bench/gate.mjs`.
import { bundled } from "./bundled.mjs";

const { compareCases, createRandom } = await bundled("bench/gate-parts.ts");

const ROUNDS = 2_000;
const MAX_DROP = 0.03;
/** 40 cases: some that nearly always pass, some flaky ones, some hard ones; 0.79 on average. */
const RATES = Array.from({ length: 40 }, (_, i) => (i < 20 ? 0.97 : i < 32 ? 0.75 : 0.4));

function missed(now, [runsBefore, runsNow]) {
  const random = createRandom(20_260_101);
  const draw = (rates, runs) =>
    new Map(
      rates.map((rate, i) => [
        String(i),
        { passed: Array.from({ length: runs }, () => random() < rate).filter(Boolean).length, runs },
      ]),
    );
  let count = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { drop, pValue } = compareCases(draw(RATES, runsBefore), draw(now, runsNow));
    if (drop > MAX_DROP && pValue < 0.05) count++;
  }
  return `${count} of ${ROUNDS}, ${((100 * count) / ROUNDS).toFixed(1)}%`;
}

const runs = [
  [1, 1],
  [3, 3],
  [5, 5],
  [1, 5],
  [5, 1],
];
const row = (cells) => console.log(`| ${cells.join(" | ")} |`);
row(["runs of each case, baseline and now", "nothing has changed", "20 points worse"]);
row(["---", "---", "---"]);
const worse = RATES.map((rate) => rate - 0.2);
for (const pair of runs) row([pair.join(" and "), missed(RATES, pair), missed(worse, pair)]);
