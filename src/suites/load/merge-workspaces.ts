import { findBeside, type Places } from "../find-beside.js";
import type { WrittenWorkspace } from "../format/workspace-schema.js";
import type { Workspace, WorkspaceLayer } from "../workspace.js";

/** `https://…`, `ssh://…`, `git@host:path`. */
const REPO_URL = /^(?:[a-z][a-z0-9+.-]*:\/\/|[^/\\\s]+@[^/\\\s]+:)/i;

/** What a file says of its workspace, with absolute paths. */
export function resolveWorkspace(written: WrittenWorkspace, places: Places): WorkspaceLayer {
  const { template, repo, ref = "HEAD", files, setup, teardown, keep } = written;
  const from =
    template !== undefined
      ? { template: findBeside(template, places) }
      : repo !== undefined
        ? { repo: REPO_URL.test(repo) ? repo : findBeside(repo, places), ref }
        : undefined;
  return {
    ...(from && { from }),
    ...(files && { files: resolveFiles(files, places) }),
    ...(setup && { setup }),
    ...(teardown && { teardown }),
    ...(keep && { keep }),
  };
}

function resolveFiles(files: NonNullable<WrittenWorkspace["files"]>, places: Places): Workspace["files"] {
  return Object.fromEntries(
    Object.entries(files).map(([path, file]) => [
      path,
      typeof file === "string" ? { content: file } : { from: findBeside(file.from, places) },
    ]),
  );
}

/** What all of them say together: a later one overrides, and adds its files. Undefined where none says anything. */
export function mergeWorkspaces(...layers: readonly (WorkspaceLayer | undefined)[]): WorkspaceLayer | undefined {
  const given = layers.filter((layer) => layer !== undefined);
  if (given.length === 0) return undefined;
  // Not `Object.assign`: a file may be called `__proto__`.
  const files = Object.fromEntries(given.flatMap((layer) => Object.entries(layer.files ?? {})));
  return Object.assign({}, ...given, Object.keys(files).length > 0 ? { files } : {});
}

/** The workspace that is to be made, with what nobody says filled in. */
export function completeWorkspace(layer: WorkspaceLayer): Workspace {
  return { from: undefined, files: {}, setup: [], teardown: [], keep: "on_failure", ...layer };
}
