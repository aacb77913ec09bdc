import { createContext, type ReactNode, useContext } from 'react'
import { HighlightedText, type TextRange } from '#web/ui/text/highlighted-text.tsx'

/** More characters than any cell can show; longer text would slow down the page. */
const MAX_LENGTH = 300

/** Number of characters shown before the first match in long text. */
const LEADING_CONTEXT = 24

/** Collapses white space and truncates the text to fit on one line, adjusting the match positions. */
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

/** The start of the text, or of a word shortly before the first match. */
function beginOf(text: string, firstMark: number): number {
  if (firstMark <= 2 * LEADING_CONTEXT) return 0
  const from = firstMark - LEADING_CONTEXT
  const gap = text.slice(from, firstMark).search(/\s\S/)
  return gap === -1 ? from : from + gap + 1
}

/** A match in a value: start, end and, in a list, the index of the value. */
export type ValueHighlights = readonly (readonly number[])[]

const NO_HIGHLIGHTS: ValueHighlights = []

const HighlightsContext = createContext<ValueHighlights>(NO_HIGHLIGHTS)

export function WithHighlights({ marks, children }: { readonly marks: ValueHighlights; readonly children: ReactNode }) {
  return <HighlightsContext value={marks}>{children}</HighlightsContext>
}

function useHighlights(entry = 0): readonly TextRange[] {
  const marks = useContext(HighlightsContext)
  return marks === NO_HIGHLIGHTS ? NO_RANGES : rangesOf(marks, entry)
}

export const useHighlightedEntries = (): ReadonlySet<number> =>
  new Set(useContext(HighlightsContext).map(([, , place = 0]) => place))

const NO_RANGES: readonly TextRange[] = []

const rangesOf = (marks: ValueHighlights, entry: number): readonly TextRange[] =>
  marks.flatMap(([from = 0, to = 0, place = 0]): TextRange[] => (place === entry ? [[from, to]] : []))

type HighlightedProps = {
  readonly text: string
  readonly entry?: number
  /** Offset of the displayed excerpt within the value. */
  readonly from?: number
}

export function Highlighted({ text, entry = 0, from = 0 }: HighlightedProps) {
  const ranges = useHighlights(entry)
  if (ranges.length === 0) return text
  return <HighlightedText text={text} ranges={ranges.map(([start, end]) => [start - from, end - from])} />
}

/** One line of text, starting near the first match. */
export function HighlightedLine({ text }: { readonly text: string }) {
  const line = highlightedExcerpt(text, useHighlights())
  return <HighlightedText text={line.text} ranges={line.ranges} />
}
