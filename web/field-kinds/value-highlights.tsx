import { createContext, type ReactNode, useContext } from 'react'
import { HighlightedText, type TextRange } from '#web/ui/text/highlighted-text.tsx'

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

/** Where a search hit in one value: from, to and, in a field of many values, the place of the value. */
export type ValueHighlights = readonly (readonly number[])[]

const NO_HIGHLIGHTS: ValueHighlights = []

const HighlightsContext = createContext<ValueHighlights>(NO_HIGHLIGHTS)

/** Tells the value inside where a search hit in it. */
export function WithHighlights({ marks, children }: { readonly marks: ValueHighlights; readonly children: ReactNode }) {
  return <HighlightsContext value={marks}>{children}</HighlightsContext>
}

/** The stretches of one value that were looked for. */
function useHighlights(entry = 0): readonly TextRange[] {
  const marks = useContext(HighlightsContext)
  return marks === NO_HIGHLIGHTS ? NO_RANGES : rangesOf(marks, entry)
}

/** The places, in a field of many values, in which something was looked for. */
export const useHighlightedEntries = (): ReadonlySet<number> =>
  new Set(useContext(HighlightsContext).map(([, , place = 0]) => place))

const NO_RANGES: readonly TextRange[] = []

const rangesOf = (marks: ValueHighlights, entry: number): readonly TextRange[] =>
  marks.flatMap(([from = 0, to = 0, place = 0]): TextRange[] => (place === entry ? [[from, to]] : []))

type HighlightedProps = {
  readonly text: string
  /** The place of the value in a field of many. */
  readonly entry?: number
  /** Where what is shown begins in the whole value. */
  readonly from?: number
}

/** What a value says, with what was looked for marked in it. */
export function Highlighted({ text, entry = 0, from = 0 }: HighlightedProps) {
  const ranges = useHighlights(entry)
  if (ranges.length === 0) return text
  return <HighlightedText text={text} ranges={ranges.map(([start, end]) => [start - from, end - from])} />
}

/** A text of any length in one line; where something was looked for far inside, the line begins near it. */
export function HighlightedLine({ text }: { readonly text: string }) {
  const line = highlightedExcerpt(text, useHighlights())
  return <HighlightedText text={line.text} ranges={line.ranges} />
}
