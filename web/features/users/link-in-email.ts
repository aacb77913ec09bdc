/** A link with a code; links in notices only open a page. */
export const linkInEmail = (text: string): string | undefined =>
  /^\s*(https?:\/\/\S+[?&]code=[\w-]+\S*)\s*$/m.exec(text)?.[1]
