import { execa } from "execa";

/** Builds the program that the tests run, unless that was just done (`EB_TEST_BUILT=1`). */
export default async function setup(): Promise<void> {
  if (process.env["EB_TEST_BUILT"] === "1") return;
  await execa("npm", ["run", "--silent", "build"], { stdout: "ignore", stderr: "inherit" });
}
