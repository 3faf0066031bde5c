/** What a user needs to know of an agent when it does not work. */
interface KnownAgent {
  install: string;
  /** Where its credentials come from. */
  credentials: string;
  /** Failures that are known: a pattern in what it printed, and what to do. */
  failures?: readonly { pattern: RegExp; hint: string }[];
}

const KNOWN = new Map(
  Object.entries<KnownAgent>({
    claude: {
      install: "npm install -g @anthropic-ai/claude-code",
      credentials: "set ANTHROPIC_API_KEY, or log in with `claude`",
      failures: [
        {
          pattern: /cannot be used with root/i,
          hint: "Claude Code refuses to run as root without a sandbox: run as another user or, in a container that is made for this, set IS_SANDBOX=1",
        },
      ],
    },
    codex: {
      install: "npm install -g @openai/codex",
      credentials: "set CODEX_API_KEY or OPENAI_API_KEY, or log in with `codex login`",
    },
    gemini: {
      install: "npm install -g @google/gemini-cli",
      credentials: "set GEMINI_API_KEY or GOOGLE_API_KEY",
      failures: [
        {
          pattern: /not (?:running in a )?trusted|untrusted/i,
          hint: "Gemini CLI does not trust this folder: keep --skip-trust in [agents.gemini] shared_flags, or trust the folder in `gemini`",
        },
      ],
    },
    grok: { install: "npm install -g @xai-official/grok", credentials: "set XAI_API_KEY" },
    opencode: {
      install: "npm install -g opencode-ai",
      credentials: "set the key of its model's provider, or log in with `opencode auth login`",
    },
    openhands: { install: "uv tool install openhands", credentials: "set LLM_API_KEY and LLM_MODEL" },
    pi: { install: "npm install -g @mariozechner/pi-coding-agent", credentials: "set the key of its model's provider" },
  }),
);

const UNAUTHORIZED =
  /\b401\b|unauthori[sz]ed|invalid (?:x-)?api[ -]key|authentication|not logged in|please run \/login|api[ _]key (?:is )?(?:required|missing|not (?:set|found))|must specify the \w+API_KEY/i;

const RATE_LIMITED = /\b429\b|rate[ _-]?limit|too many requests|RESOURCE_EXHAUSTED/i;
const RATE_LIMIT_HINT =
  "its model's service refuses so many requests: lower --max-parallel-checks, or give the check `retries`";

const OVERLOADED = /\b(?:503|529)\b|overloaded|temporarily unavailable/i;

/** Agents keep a database in the home: some can't start on a new one at the same time. */
const COLLIDED = /\bdatabase is locked\b|\bSQLITE_BUSY\b|\bFailed query:\s+(?:CREATE|ALTER) /i;
const COLLISION_HINT = "several of its kind that started at once got into each other's way: give the check `retries`";

/**
 * Whether what an agent failed of passes by itself: its model's service takes no more for now, or another one of its kind
 * was in its way; from what it printed.
 */
export function isPassing(printed: string): boolean {
  return RATE_LIMITED.test(printed) || OVERLOADED.test(printed) || COLLIDED.test(printed);
}

/** How to install an agent; undefined for one of the user's own. */
export function installCommand(agent: string): string | undefined {
  return KNOWN.get(agent)?.install;
}

/** What to do about a failure, from what an agent printed; undefined when it is not a known one. */
export function failureHint(agent: string, printed: string): string | undefined {
  const known = KNOWN.get(agent);
  const failure = known?.failures?.find(({ pattern }) => pattern.test(printed));
  if (failure) return failure.hint;
  if (known && UNAUTHORIZED.test(printed)) return `it may have no valid credentials: ${known.credentials}`;
  if (RATE_LIMITED.test(printed)) return RATE_LIMIT_HINT;
  return COLLIDED.test(printed) ? COLLISION_HINT : undefined;
}
