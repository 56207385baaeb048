declare module '*.br' {
  const path: string;
  export default path;
}
declare module '*.html.gz' {
  const path: string;
  export default path;
}
