/** What CloudFront Functions have beside the language (runtime 2.0). */
declare module 'cloudfront' {
  const cf: {
    /** Sends the request to another origin of the distribution, with all of that origin's settings. */
    selectRequestOriginById(originId: string): void;
  };
  export default cf;
}
