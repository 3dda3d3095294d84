/** Longer parts are shown as they were written: see `markdownHtml`. */
const longest = 15_000;

/**
 * An answer in parts that are Markdown each by itself: while it is written only the last one changes, and none is longer
 * than a page can bear. Parts end before headings, and long ones where a paragraph does.
 */
export function answerParts(text: string): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let size = 0;
  let fence: string | null = null;
  let isAfterBlank = false;
  const end = () => {
    if (part.length > 0) parts.push(part.join('\n'));
    part = [];
    size = 0;
  };
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && (/^#{1,6}\s/.test(line) || (isAfterBlank && size > longest / 2))) end();
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
    }
    part.push(line);
    size += line.length + 1;
    isAfterBlank = line.trim() === '';
  }
  end();
  return parts;
}
