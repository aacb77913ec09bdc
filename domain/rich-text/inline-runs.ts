import { MARK_ORDER, type MarkName, type RichMark, type RichNode } from './document-schema.ts'
import { type Mention, mentionOf } from './document-references.ts'

export type InlineRun =
  | { readonly text: string }
  | { readonly isBreak: true }
  | { readonly mention: Mention }
  | { readonly mark: RichMark; readonly runs: readonly InlineRun[] }

/** Nests the marks of a line for printing, each around the longest possible run. */
export function inlineRuns(
  content: readonly RichNode[],
  marks: readonly MarkName[] = MARK_ORDER,
): readonly InlineRun[] {
  const [name, ...inner] = marks
  if (name === undefined) return content.map(plainRun)
  const runs: InlineRun[] = []
  for (let from = 0; from < content.length; ) {
    const mark = markOf(content[from], name)
    let end = from + 1
    while (end < content.length && isSameMark(markOf(content[end], name), mark)) end += 1
    const inside = inlineRuns(content.slice(from, end), inner)
    if (mark) runs.push({ mark, runs: inside })
    else runs.push(...inside)
    from = end
  }
  return runs
}

function plainRun(node: RichNode): InlineRun {
  const mention = mentionOf(node)
  if (mention) return { mention }
  return node.type === 'hardBreak' ? { isBreak: true } : { text: node.text ?? '' }
}

const markOf = (node: RichNode | undefined, name: MarkName): RichMark | undefined =>
  node?.marks?.find(({ type }) => type === name)

const isSameMark = (one: RichMark | undefined, other: RichMark | undefined): boolean =>
  one?.type === other?.type && one?.attrs?.['href'] === other?.attrs?.['href']
