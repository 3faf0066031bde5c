/** Bounds of an interval. */
export interface Interval {
  low: number;
  high: number;
}

/** NaN for no values. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** The middle value, or the mean of the two in the middle; undefined for no values. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [lower, upper] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 || lower === undefined || upper === undefined ? upper : (lower + upper) / 2;
}

/**
 * The score interval of a rate, `passed` of `n` independent trials. With no trial at all: 0 to 1.
 * Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
 */
export function wilsonInterval(passed: number, n: number, level = 0.95): Interval {
  if (n === 0) return { low: 0, high: 1 };
  const z2 = normalQuantile((1 + level) / 2) ** 2;
  const rate = passed / n;
  const center = (rate + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Math.sqrt(z2) / (1 + z2 / n)) * Math.sqrt((rate * (1 - rate)) / n + z2 / (4 * n * n));
  // At the ends the formula gives these values; rounding does not.
  return { low: passed === 0 ? 0 : center - half, high: passed === n ? 1 : center + half };
}

/**
 * The 95% interval of a mean of values between 0 and 1, each the rate of a cluster, in which trials may depend on each
 * other in any way: Student's t with one degree of freedom less than there are clusters, cut to 0 and 1. Of fewer than
 * two nothing is known: 0 to 1.
 * Source: E. Miller, "Adding Error Bars to Evals" (2024), with the small-sample factor C / (C − 1) for C clusters: of
 * clusters that weigh the same that is the classical standard error of a mean.
 */
export function meanInterval(rates: readonly number[]): Interval {
  const n = rates.length;
  if (n < 2) return { low: 0, high: 1 };
  const center = mean(rates);
  const squares = sum(rates.map((rate) => (rate - center) ** 2));
  const half = studentQuantile(0.975, n - 1) * (Math.sqrt((squares * n) / (n - 1)) / n);
  return { low: Math.max(0, center - half), high: Math.min(1, center + half) };
}

/**
 * Of `k` attempts drawn from `n`, of which `c` passed: the chance that at least one passed.
 * Source: the unbiased estimator of M. Chen et al., "Evaluating Large Language Models Trained on Code" (2021), in the
 * form and the order of operations of HumanEval's code.
 * @throws RangeError unless 0 ≤ c ≤ n and 1 ≤ k ≤ n
 */
export function passAtK(n: number, c: number, k: number): number {
  checkCounts(n, c, k);
  if (n - c < k) return 1;
  let product = 1;
  for (let i = n - c + 1; i <= n; i++) product *= 1 - k / i;
  return 1 - product;
}

/**
 * The same: the chance that all of them passed, C(c, k) / C(n, k).
 * Source: pass^k of S. Yao et al., "τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains" (2024).
 * @throws RangeError unless 0 ≤ c ≤ n and 1 ≤ k ≤ n
 */
export function passHatK(n: number, c: number, k: number): number {
  checkCounts(n, c, k);
  let product = 1;
  for (let i = 0; i < k; i++) product *= Math.max(0, c - i) / (n - i);
  return product;
}

function checkCounts(n: number, c: number, k: number): void {
  const valid = [n, c, k].every(Number.isInteger) && c >= 0 && c <= n && k >= 1 && k <= n;
  if (!valid) throw new RangeError(`expected 0 <= c <= n and 1 <= k <= n, found n = ${n}, c = ${c}, k = ${k}`);
}

/**
 * The value that a standard normal variable stays below with probability `p`.
 * Source: M. J. Wichura, algorithm AS 241 (PPND16), Applied Statistics 37 (1988); about 16 digits.
 */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(CENTRAL, 0.180625 - q * q);
  const tail = Math.min(p, 1 - p);
  if (!(tail > 0)) return tail === 0 ? Math.sign(q) * Number.POSITIVE_INFINITY : Number.NaN;
  const r = Math.sqrt(-Math.log(tail));
  return Math.sign(q) * (r <= 5 ? ratio(NEAR, r - 1.6) : ratio(FAR, r - 5));
}

type Coefficients = readonly [readonly number[], readonly number[]];

// Numerator and denominator, the highest power first.
const CENTRAL: Coefficients = [
  [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513,
    133.14166789178438, 3.3871328727963665,
  ],
  [
    5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579,
    42.31333070160091, 1,
  ],
];
const NEAR: Coefficients = [
  [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
    5.769497221460691, 4.630337846156546, 1.4234371107496835,
  ],
  [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
    1.6763848301838038, 2.053191626637759, 1,
  ],
];
const FAR: Coefficients = [
  [
    2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
    1.7848265399172913, 5.463784911164114, 6.657904643501103,
  ],
  [
    2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133, 0.014875361290850615,
    0.1369298809227358, 0.599832206555888, 1,
  ],
];

function ratio([numerator, denominator]: Coefficients, x: number): number {
  const at = (coefficients: readonly number[]) => coefficients.reduce((value, coefficient) => value * x + coefficient);
  return at(numerator) / at(denominator);
}

/** Beyond this many degrees of freedom Student's distribution is the normal one to 5 digits. */
const MANY = 100_000;

/** The value that a variable of Student's distribution with `df` degrees of freedom stays below with probability `p`. */
export function studentQuantile(p: number, df: number): number {
  if (df > MANY) return normalQuantile(p);
  if (p < 0.5) return -studentQuantile(1 - p, df);
  let [low, high] = [0, 1];
  while (studentCentral(high, df) < 2 * p - 1 && high < 1e300) high *= 2;
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (studentCentral(middle, df) < 2 * p - 1) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * The probability that Student's variable lies between −t and t.
 * Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4.
 */
function studentCentral(t: number, df: number): number {
  const theta = Math.atan(t / Math.sqrt(df));
  const cosine = Math.cos(theta);
  const odd = df % 2;
  let term = odd ? cosine : 1;
  let series = df === 1 ? 0 : term;
  for (let i = odd + 2; i < df; i += 2) {
    term *= (cosine * cosine * (i - 1)) / i;
    series += term;
  }
  return odd ? (2 / Math.PI) * (theta + Math.sin(theta) * series) : Math.sin(theta) * series;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
