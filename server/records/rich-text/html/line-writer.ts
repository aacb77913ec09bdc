import type { RichMark, RichNode } from '#domain/rich-text/document-schema.ts'

/** Words, breaks and mentions of one line; white space is run together as a browser does it. */
export function createLineWriter() {
  let line: RichNode[] = []

  return {
    text: (text: string, marks: readonly RichMark[]): void => {
      const spaced = text.replace(/[ \t\r\n\f]+/g, ' ')
      const told = isAfterSpace(line.at(-1)) ? spaced.replace(/^ /, '') : spaced
      if (told !== '') line.push({ type: 'text', ...withMarks(marks), text: told })
    },
    lineBreak: (): true => {
      line.push({ type: 'hardBreak' })
      return true
    },
    mention: (mention: RichNode, marks: readonly RichMark[]): true => {
      line.push({ ...mention, ...withMarks(marks) })
      return true
    },
    /** The line as it is, without the space at its end; the next one begins. */
    take: (): readonly RichNode[] => {
      const taken = line
      line = []
      trimEnd(taken)
      return taken
    },
  }
}

const withMarks = (marks: readonly RichMark[]): Pick<RichNode, 'marks'> => (marks.length > 0 ? { marks } : {})

const isAfterSpace = (last: RichNode | undefined): boolean =>
  last === undefined || last.type === 'hardBreak' || last.text?.endsWith(' ') === true

/** Takes away the space at the end of a line, which nobody sees. */
function trimEnd(line: RichNode[]): void {
  for (let last = line.pop(); last; last = line.pop()) {
    const text = last.text?.replace(/ $/, '')
    if (text === '') continue
    line.push(text === undefined ? last : { ...last, text })
    return
  }
}
