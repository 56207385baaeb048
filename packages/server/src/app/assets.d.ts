declare module '*.br' {
  const path: string;
  export default path;
}
declare module '*.gz' {
  const path: string;
  export default path;
}
