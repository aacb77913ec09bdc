import type { TextRange } from '#web/ui/text/highlighted-text.tsx'

/** More than a cell can ever show; the rest would only weigh on the page. */
const MAX_LENGTH = 300

/** How much of a text stands before its first mark, where the whole would not fit before it. */
const LEADING_CONTEXT = 24

/** A text in one line: breaks and runs of space made single, cut where no cell reaches, with its marks in the new places. */
export function highlightedExcerpt(
  text: string,
  ranges: readonly TextRange[],
): { readonly text: string; readonly ranges: readonly TextRange[] } {
  const begin = beginOf(text, ranges[0]?.[0] ?? 0)
  const places: number[] = []
  let line = begin > 0 ? '… ' : ''
  for (let at = begin; at < text.length && line.length < MAX_LENGTH; at += 1) {
    places[at] = line.length
    const unit = text.charAt(at)
    const isSpace = /\s/.test(unit)
    if (!isSpace) line += unit
    else if (line !== '' && !line.endsWith(' ')) line += ' '
  }
  const shown = line.trimEnd()
  const placeOf = (at: number): number => Math.min(shown.length, places[at] ?? shown.length)
  const moved = ranges.map(([from, to]): TextRange => [placeOf(from), placeOf(to)])
  return { text: shown, ranges: moved.filter(([from, to]) => to > from) }
}

/** The beginning of the text, or of a word near its first mark. */
function beginOf(text: string, firstMark: number): number {
  if (firstMark <= 2 * LEADING_CONTEXT) return 0
  const from = firstMark - LEADING_CONTEXT
  const gap = text.slice(from, firstMark).search(/\s\S/)
  return gap === -1 ? from : from + gap + 1
}
