declare module "virtual:metric-definitions" {
  const definitions: Record<string, string>;
  export default definitions;
  export const METHOD: string;
  export const METHOD_FOR_READERS: string;
}
