const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

// Besides mark-up: control characters, unpaired surrogates and what is no character.
const special = /[&<>"\p{Cc}\p{Cs}\ufffe\uffff]/gu;

/** A text as it stands in XML 1.0, in an element or an attribute; what XML cannot hold becomes U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(special, (character) => {
    const isAllowed = character >= '\u007f' && character <= '\u009f';
    return replacements[character] ?? (isAllowed ? character : '\ufffd');
  });
}
