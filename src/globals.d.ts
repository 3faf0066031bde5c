/** The version of package.json, put in by the bundler and by the test runner. */
declare const __VERSION__: string;

declare module "*.py" {
  const source: string;
  export default source;
}

/** The page of a report, put together by the bundler and by the test runner. */
declare module "*.html" {
  const page: string;
  export default page;
}
