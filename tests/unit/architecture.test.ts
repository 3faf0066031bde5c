import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import glob from "fast-glob";
import { expect, it } from "vitest";

/** Rooms from top to bottom: a file imports only from its own room and from those below it. */
const FLOORS = [
  ["cli"],
  ["checks", "suites"],
  ["run"],
  ["agents", "models", "report"],
  ["process", "config", "viewer"],
  ["core"],
];

/** The same inside src/suites; what lies at its top is plain data that all of them know, and above them what ties a run together. */
const SUITE_FLOORS = [
  ["library"],
  ["trials"],
  ["results", "scorers", "targets", "starter"],
  ["load"],
  ["workspaces"],
  ["format"],
];

const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));
const roomOf = (file: string) => relative("src", file).split("/")[0] ?? "";

const files = glob.sync("src/*/**/*.ts");
const imports = files.flatMap((file) => {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, target]) => {
    const to = join(dirname(file), target ?? "");
    return { file, to, from: roomOf(file), room: roomOf(to) };
  });
});

it("imports go down only", () => {
  expect(imports.length).toBeGreaterThan(50);
  const upwards = imports.filter(({ from, room }) => from !== room && !(floorOf(room) > floorOf(from)));
  expect(upwards.map(({ file, to }) => `${file} imports ${to}`)).toEqual([]);
});

it("every room has its floor", () => {
  expect([...new Set(files.map(roomOf))].filter((room) => floorOf(room) < 0)).toEqual([]);
});

it("so do imports between the rooms of suites", () => {
  const roomIn = (file: string) => /^src\/suites\/([^/]+)\//.exec(file)?.[1] ?? "";
  const inside = imports
    .filter(({ from, room }) => from === "suites" && room === "suites")
    .map(({ file, to }) => ({ file, to, from: roomIn(file), room: roomIn(to) }))
    .filter(({ from, room }) => from !== "" && room !== "" && from !== room);
  expect(inside.length).toBeGreaterThan(50);
  const floor = (room: string) => SUITE_FLOORS.findIndex((rooms) => rooms.includes(room));
  const wrong = inside.filter(({ from, room }) => floor(from) < 0 || floor(room) <= floor(from));
  expect(wrong.map(({ file, to }) => `${file} imports ${to}`)).toEqual([]);
});

it("only the process room starts programs", () => {
  const starters = files.filter((file) =>
    /from "(node:child_process|execa)"|import\("execa"\)/.test(readFileSync(file, "utf8")),
  );
  expect(starters.filter((file) => roomOf(file) !== "process")).toEqual([]);
});
