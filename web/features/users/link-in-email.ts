/** The link that opens something for whoever has it; those of notices lead only to a page. */
export const linkInEmail = (text: string): string | undefined =>
  /^\s*(https?:\/\/\S+[?&]code=[\w-]+\S*)\s*$/m.exec(text)?.[1]
