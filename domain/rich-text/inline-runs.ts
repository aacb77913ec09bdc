import type { MarkName, RichMark, RichNode } from './document-schema.ts'

/** What stands in a line: words, a break, or either of them inside a mark. */
export type InlineRun =
  | { readonly text: string }
  | { readonly isBreak: true }
  | { readonly mark: RichMark; readonly runs: readonly InlineRun[] }

/** Which mark goes around which: a link around its words however they are set. */
const OUTERMOST_FIRST: readonly MarkName[] = ['link', 'bold', 'italic', 'underline']

/** The content of a line as a tree, each mark around all that it covers without a gap: what a printer nests. */
export function inlineRuns(
  content: readonly RichNode[],
  marks: readonly MarkName[] = OUTERMOST_FIRST,
): readonly InlineRun[] {
  const [name, ...inner] = marks
  if (name === undefined) return content.map((node) => (node.type === 'hardBreak' ? BREAK : { text: node.text ?? '' }))
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

const BREAK: InlineRun = { isBreak: true }

const markOf = (node: RichNode | undefined, name: MarkName): RichMark | undefined =>
  node?.marks?.find(({ type }) => type === name)

const isSameMark = (one: RichMark | undefined, other: RichMark | undefined): boolean =>
  one?.type === other?.type && one?.attrs?.['href'] === other?.attrs?.['href']
