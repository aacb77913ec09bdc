import type { Node } from '@tiptap/pm/model'

/** What is looked for. */
export type Search = { readonly words: string; readonly isCaseKept: boolean }

/** A place in the document. */
export type Match = { readonly from: number; readonly to: number }

/** Stands for whatever is no text, so that places keep their numbers. */
const NO_TEXT = '\uFFFC'

/** What means something else in a regular expression. */
const SIGNS = /[\\^$.*+?()[\]{}|]/g

/** Every place with these words, one after another; none of them goes across the end of a line. */
export function findMatches(doc: Node, { words, isCaseKept }: Search): Match[] {
  if (words === '') return []
  const pattern = new RegExp(words.replaceAll(SIGNS, '\\$&'), isCaseKept ? 'gu' : 'giu')
  const matches: Match[] = []
  doc.descendants((node, pos) => {
    if (!node.isTextblock) return true
    const text = node.textBetween(0, node.content.size, undefined, NO_TEXT)
    for (const { index, 0: found } of text.matchAll(pattern)) {
      matches.push({ from: pos + 1 + index, to: pos + 1 + index + found.length })
    }
    return false
  })
  return matches
}

/** Which match one means first: the one at the caret or behind it, else the first of all. */
export function firstFrom(matches: readonly Match[], caret: number): number {
  return Math.max(
    matches.findIndex(({ from }) => from >= caret),
    0,
  )
}
