/** A directory of its own for each run of a case. Paths are absolute. */
export interface Workspace {
  /** What it begins with: a copy of a directory, a commit of a repository, or nothing. */
  from: { template: string } | { repo: string; ref: string } | undefined;
  /** Files put into it, by their paths in it. */
  files: Readonly<Record<string, { content: string } | { from: string }>>;
  /** Shell commands that run in it before the target, and after everything. */
  setup: readonly string[];
  teardown: readonly string[];
  keep: "never" | "on_failure" | "always";
}

/** What one file says of it. Suite, case and target each may: see `mergeWorkspaces` and `completeWorkspace`. */
export type WorkspaceLayer = Partial<Workspace>;
