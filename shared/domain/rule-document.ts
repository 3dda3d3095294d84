/** How much of a document with rules is read (resolved-intel 13.1), and what is told of its errors. */
export const ruleDocumentLimits = {
  bytes: 524_288,
  rules: 200,
  lists: 50,
  depth: 16,
  events: 100_000,
  messages: 100,
  messageLength: 256,
} as const;
