import type { RichMark, RichNode } from '#domain/rich-text/document-schema.ts'

/** Words and breaks of one line; white space is run together as a browser does it. */
export function lineWriter() {
  let words: RichNode[] = []

  return {
    text: (text: string, marks: readonly RichMark[]): void => {
      const spaced = text.replace(/[ \t\r\n\f]+/g, ' ')
      const last = words.at(-1)
      const isAfterSpace = last?.text === undefined || last.text.endsWith(' ')
      const told = isAfterSpace ? spaced.replace(/^ /, '') : spaced
      if (told !== '') words = withWords(words, { type: 'text', ...(marks.length > 0 && { marks }), text: told })
    },
    lineBreak: (): true => {
      words.push({ type: 'hardBreak' })
      return true
    },
    /** The line as it is, without the space at its end; the next one begins. */
    take: (): readonly RichNode[] => {
      const line = trimmed(words)
      words = []
      return line
    },
  }
}

/** Words that are set the same are one piece. */
function withWords(words: RichNode[], next: RichNode): RichNode[] {
  const last = words.at(-1)
  const isSame = last?.type === 'text' && JSON.stringify(last.marks) === JSON.stringify(next.marks)
  if (!isSame) return [...words, next]
  return [...words.slice(0, -1), { ...last, text: `${last.text}${next.text}` }]
}

/** Words without the space at their end, which nobody sees. */
function trimmed(words: readonly RichNode[]): readonly RichNode[] {
  const last = words.at(-1)
  if (last?.type !== 'text' || !last.text?.endsWith(' ')) return words
  const text = last.text.replace(/ +$/, '')
  return text === '' ? trimmed(words.slice(0, -1)) : [...words.slice(0, -1), { ...last, text }]
}
