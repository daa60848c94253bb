// A plugin of Stryker: texts of several words are prose, which tests do not compare.
const texts = ({ node }) =>
  node.type === "StringLiteral"
    ? [node.value]
    : node.type === "TemplateLiteral"
      ? node.quasis.map(({ value }) => value.raw)
      : [];

export const strykerPlugins = [
  {
    kind: "Ignore",
    name: "wording",
    value: {
      shouldIgnore: (path) => (texts(path).some((text) => /\w \w/.test(text)) ? "wording" : undefined),
    },
  },
];
