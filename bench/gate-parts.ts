export { createRandom } from "../src/core/paired-tests.js";
export { compareCases } from "../src/suites/results/compare-cases.js";
