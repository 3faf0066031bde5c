import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { describeSystemError } from "../../core/errors.js";
import { bytesOf } from "./tree.js";

/** A directory that we made, told from one that was put in its place. */
export interface Room {
  path: string;
  device: number;
  inode: number;
}

export function roomAt(path: string): Room {
  const { dev, ino } = lstatSync(path);
  return { path, device: dev, inode: ino };
}

/** Removes a directory that we made, and nothing else. Returns why it can't be done. */
export async function removeRoom(room: Room): Promise<string | undefined> {
  const stat = lstatSync(room.path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.dev !== room.device || stat.ino !== room.inode) return "it is not the directory that was made";
  const remove = () => rm(room.path, { recursive: true, force: true, maxRetries: 2 });
  try {
    // In a directory that can't be written to nothing can be removed.
    await remove().catch(() => {
      openDirectories(room.path);
      return remove();
    });
    return undefined;
  } catch (error) {
    return describeSystemError(error);
  }
}

/** Lets us read and change every directory of a tree, as far as they are ours. Links are not followed. */
export function openDirectories(root: string): void {
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    try {
      const place = bytesOf(root, folder);
      const { mode } = lstatSync(place);
      if ((mode & 0o700) !== 0o700) chmodSync(place, mode | 0o700);
      for (const found of readdirSync(place, { encoding: "latin1", withFileTypes: true })) {
        if (found.isDirectory()) pending.push(folder === "" ? found.name : `${folder}/${found.name}`);
      }
    } catch {
      // Not ours: what removes or reads it says so.
    }
  }
}
